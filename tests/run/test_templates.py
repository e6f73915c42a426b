"""Batch scripts stop in good order when their time ends, queue themselves again, and the run goes on bit for bit."""

import os
import shutil
import signal
import subprocess
import time

import pytest

import outputs
from conftest import ROOT, end_session
from outputs import sets
from test_restart import CASE, rows_written
from waiting import wait_for

KEYS = sets(grid__n=[24, 24, 24], initial__kind="random", time__dt=0.005, time__end=100.0, output__series_interval=0.0)


@pytest.fixture
def place(launcher, triad, tmp_path):
    """A folder with programs that stand for those of the batch system and note how they were called."""
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    for name in ("scontrol", "qsub"):
        (bin_dir / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/calls\n')
        (bin_dir / name).chmod(0o755)
    env = launcher.environment(extra={
        "PATH": f"{bin_dir}:{os.environ['PATH']}", "SLURM_JOB_ID": "4242", "SLURM_CPUS_PER_TASK": "1", "TRIAD": triad,
        "PBS_O_WORKDIR": tmp_path, "TRIAD_CASE": tmp_path / "case.toml", "TRIAD_RUN": tmp_path / "run",
        "SRUN": bin_dir / "srun", "TRIAD_WISDOM": tmp_path / "wisdom", "MPIRUN": " ".join(launcher.command(2, ()))})
    # as srun: it takes the cores of a rank, and is what Slurm's signal reaches with the ranks; mpirun passes USR1 on to them
    (bin_dir / "srun").write_text('#!/bin/sh\necho "$1" >> "$TRIAD_RUN.srun"\nshift\necho $$ > "$TRIAD_RUN.pid"\nexec $MPIRUN "$@"\n')
    (bin_dir / "srun").chmod(0o755)
    shutil.copy(CASE, tmp_path / "plain.toml")
    return tmp_path, env


def write_case(place, steps, *more):
    """The case with the keys of this test in it: templates have no --set."""
    folder, env = place
    text = subprocess.run([env["TRIAD"], "case", folder / "plain.toml", *KEYS, *sets(time__max_steps=steps), *more], env=env,
                          capture_output=True, text=True, check=True, timeout=30).stdout
    (folder / "case.toml").write_text(text)


def calls(place):
    path = place[0] / "calls"
    return path.read_text().splitlines() if path.exists() else []


def submit(place, script):
    return subprocess.Popen(["bash", ROOT / "runs/templates" / script], env=place[1], cwd=place[0],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            start_new_session=True)


def finish(process, seconds=60):
    try:
        out, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        end_session(process)
        pytest.fail(f"not over in {seconds} s\n{process.communicate()[0]}")
    return process.returncode, out


@pytest.mark.parametrize("script, number, call", [
    ("slurm.sh", signal.SIGUSR1, "scontrol requeue 4242"), ("slurm.sh", signal.SIGTERM, "scontrol requeue 4242"),
    ("pbs.sh", signal.SIGTERM, "qsub pbs.sh")], ids=["slurm-USR1", "slurm-TERM", "pbs-TERM"])
def test_a_signal_ahead_of_the_limit_saves_and_requeues(place, launcher, triad, script, number, call):
    folder, env = place
    write_case(place, 0)
    process = submit(place, script)
    wait_for(lambda: rows_written(folder / "run") >= 10, "ten rows", process)
    process.send_signal(number)
    code, out = finish(process)
    assert code == 75, out
    assert calls(place) == [call]
    at = int(outputs.series(folder / "run")["step"][-1])
    assert outputs.modes(folder / "run")["attributes"]["step"] == at
    # the next piece goes on and finishes: no further requeue, and the same bits as a run in one piece
    write_case(place, at + 10)
    code, out = finish(submit(place, script))
    assert code == 0 and calls(place) == [call], out
    launcher(2, triad, "run", folder / "case.toml", "--dir", folder / "whole", "-q", env={"TRIAD_WISDOM": folder / "wisdom"},
             expect=0)
    assert outputs.rows(folder / "run") == outputs.rows(folder / "whole")
    assert outputs.same_bits(folder / "run", folder / "whole")


def test_a_signal_to_the_ranks_of_srun_saves_and_requeues(place):
    folder, env = place
    write_case(place, 0)
    process = submit(place, "slurm-srun.sh")
    wait_for(lambda: rows_written(folder / "run") >= 3, "three rows", process)
    os.kill(int((folder / "run.pid").read_text()), signal.SIGUSR1)
    code, out = finish(process)
    assert code == 75 and calls(place) == ["scontrol requeue 4242"], out
    assert (folder / "run.srun").read_text() == "--cpus-per-task=1\n"


def test_a_gpu_script_never_computes_on_cores(place):
    """This machine, or this build, may have no GPU: then the code is 69, and nothing is queued; with one the run goes on."""
    write_case(place, 3)
    code, out = finish(submit(place, "slurm-gpu.sh"))
    assert code in (0, 69) and calls(place) == [], out
    assert (code == 0) == (place[0] / "run/series.csv").exists(), out


def test_scripts_ask_slurm_for_what_their_launcher_needs():
    """mpirun: the shell is told of the limit ("B:"). srun: the ranks are. Each rank of a node sees all GPUs."""
    texts = {p.name: p.read_text() for p in (ROOT / "runs/templates").glob("slurm*.sh")}
    asked = {name: [line for line in text.splitlines() if line.startswith("#SBATCH")] for name, text in texts.items()}
    assert "#SBATCH --signal=B:USR1@600" in asked["slurm.sh"] and "trap" in texts["slurm.sh"]
    for name in ("slurm-srun.sh", "slurm-gpu.sh"):
        assert "#SBATCH --signal=USR1@600" in asked[name] and "trap" not in texts[name]
    gpus = dict(line.split()[1].split("=") for line in asked["slurm-gpu.sh"] if "=" in line)
    assert gpus["--gpus-per-node"] == gpus["--ntasks-per-node"]
    assert not any("gpus-per-task" in line or "gpu-bind" in line for line in asked["slurm-gpu.sh"])


def test_pbs_stops_by_its_own_limit(place):
    write_case(place, 0)
    place[1]["TRIAD_LIMIT"] = "6"
    code, out = finish(submit(place, "pbs.sh"))
    assert code == 75 and calls(place) == ["qsub pbs.sh"], out


def test_a_run_that_fails_or_is_held_is_not_requeued(place):
    write_case(place, 0)
    (place[0] / "case.toml").write_text("nonsense = 1\n")
    code, out = finish(submit(place, "slurm.sh"))
    assert code == 65 and calls(place) == [], out
    write_case(place, 0)
    process = submit(place, "slurm.sh")
    while rows_written(place[0] / "run") < 3:
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.02)
    (place[0] / "run/no-requeue").touch()
    process.send_signal(signal.SIGUSR1)
    code, out = finish(process)
    assert code == 75 and calls(place) == [], out


# ---- a Slurm of one node ----

CONF = """
ClusterName=triad
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
SlurmctldPort={port}
SlurmdPort={port1}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ReturnToService=2
KillWait=10
MpiDefault=none
NodeName={host} CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture
def slurm(tmp_path_factory):
    """Its daemons with all their files in a folder of this test, and the environment in which commands find them."""
    missing = [p for p in ("slurmctld", "slurmd", "sbatch", "munged") if not (shutil.which(p) or shutil.which(p, path="/usr/sbin"))]
    if missing or os.geteuid() != 0:
        pytest.skip(f"a Slurm of one node takes root and the package slurm-wlm (missing: {', '.join(missing) or 'nothing'})")
    folder = tmp_path_factory.mktemp("slurm")
    host = os.uname().nodename
    for name in ("state", "spool"):
        (folder / name).mkdir()
    folder.chmod(0o755)
    port = 20000 + os.getpid() % 20000
    (folder / "slurm.conf").write_text(CONF.format(host=host, folder=folder, port=port, port1=port + 1, cpus=os.cpu_count()))
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o400)
    env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf"), "PATH": os.environ["PATH"] + ":/usr/sbin"}
    log = open(folder / "daemons.log", "w")
    daemons = []

    def start(*command):
        daemons.append(subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True))

    try:
        start("munged", "--foreground", "--force", f"--socket={folder}/munge.socket", f"--key-file={folder}/munge.key",
              f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed")
        time.sleep(1)
        start("slurmctld", "-D", "-c")
        time.sleep(1)
        start("slurmd", "-D", "-N", host)
        deadline = time.monotonic() + 40
        while "idle" not in (told := subprocess.run(["sinfo", "-h", "-o", "%T"], env=env, capture_output=True, text=True,
                                                    timeout=30).stdout):
            if time.monotonic() > deadline:
                logs = "".join(p.read_text(errors="replace")[-600:] for p in sorted(folder.glob("*.log")))
                pytest.skip(f"Slurm's daemons do not come up here ({told.strip()}): {logs}")
            time.sleep(0.5)
        yield env
    finally:
        for d in reversed(daemons):
            d.terminate()
            try:
                d.wait(10)
            except subprocess.TimeoutExpired:
                d.kill()
        log.close()


@pytest.mark.limit(300)
def test_slurm_warns_the_job_requeues_it_and_it_finishes(place, slurm, triad):
    folder, env = place
    endless = sets(time__end=1e6)  # on any machine it outlasts the warning
    write_case(place, 0, *endless)
    shutil.rmtree(folder / "bin")  # the true scontrol
    job_env = {**env, **{k: slurm[k] for k in ("SLURM_CONF", "PATH")}}
    # the limit is a minute, the least there is; the warning comes at once that the job runs for 60 - 50 s
    script = (ROOT / "runs/templates/slurm.sh").read_text().replace("--time=12:00:00", "--time=1").replace(
        "USR1@600", "USR1@50").replace("--ntasks-per-node=2", "--ntasks-per-node=1")
    (folder / "slurm.sh").write_text(script)
    for name in ("SLURM_JOB_ID", "SLURM_CPUS_PER_TASK"):
        job_env.pop(name, None)
    told = subprocess.run(["sbatch", "--parsable", f"--output={folder}/out", "slurm.sh"], cwd=folder, env=job_env,
                          capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told
    job = told.stdout.strip()

    def state():
        return subprocess.run(["scontrol", "show", "job", job], env=job_env, capture_output=True, text=True, timeout=30).stdout

    deadline = time.monotonic() + 200
    while "Restarts=0" in (now := state()):
        assert time.monotonic() < deadline, now + (folder / "out").read_text()
        time.sleep(1)
    assert "back into the queue" in (folder / "out").read_text()
    at = int(outputs.series(folder / "run")["step"][-1])
    write_case(place, at + 5, *endless)  # the second piece has an end
    # Slurm lets a requeued job wait for two minutes; that it may begin at once is for the test
    subprocess.run(["scontrol", "update", f"JobId={job}", "StartTime=now"], env=job_env, timeout=30)
    while "JobState=COMPLETED" not in (now := state()):
        assert time.monotonic() < deadline + 60, now + (folder / "out").read_text()
        assert "FAILED" not in now, now + (folder / "out").read_text()
        time.sleep(1)
    assert "resumed from" in (folder / "out").read_text()
    assert int(outputs.series(folder / "run")["step"][-1]) == at + 5
