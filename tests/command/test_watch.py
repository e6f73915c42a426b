"""triad watch: a page that shows runs as they go, tells nobody else, and believes nothing that stands in their files."""
import base64
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import urllib.parse

import pytest

import browser
import outputs
from conftest import ROOT
from waiting import wait_for

CASE = """
[equations]
solver = "hd"
viscosity = 0.05
[grid]
n = [16, 16, 16]
[initial]
kind = "taylor-green"
[time]
end = 0.5
[output]
series_interval = 0
spectra_interval = 0.25
slices_interval = 0.25
slices = ["z=0: vorticity"]
"""
NASTY = "<img src=x onerror=alert(1)>"
HEAD = "# triad series, solver hd\n# step [1]: steps\n# t [T]: time\n# dt [T]: step\n# energy [U^2]: mean\nstep,t,dt,energy\n"
PAGE = ROOT / "src/command/watch/watch.html"


@pytest.fixture(scope="module")
def runs(triad, launcher, tmp_path_factory):
    """A run whose name is a tag, and one that is made up of rows and rubbish."""
    folder = tmp_path_factory.mktemp("watch")
    case = folder / "case.toml"
    case.write_text(CASE)
    assert launcher(1, triad, "run", case, "--dir", folder / NASTY).code == 0
    other = folder / "other"
    for name in ("spectra", "slices"):
        (other / name).mkdir(parents=True)
    (other / "case.resolved.toml").write_text('end = "</script><script>alert(2)</script>"\n')
    (other / "series.csv").write_text(HEAD + "".join(f"{i},{0.01 * i},0.01,{1 + (i % 97) / 97}\n" for i in range(10000)))
    (other / "log.txt").write_text("2026-01-01T00:00:00Z warning </script><b>bold</b>\n2026-01-01T00:00:00Z info    calm\n")
    (other / "status.json").write_text("{not json")
    (other / "case.changes.csv").write_text('# x\nstep,t,key,was,is\n4,0.1,time.cfl,"0.5","<i>1</i>"\n')
    (other / "spectra" / "spectra-00000004.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\xff" * 3000)
    (other / "slices" / "slice1-speed-00000004.png").write_bytes(b"no picture")
    return folder / NASTY, other


class Server:
    def __init__(self, triad, *args):
        self.process = subprocess.Popen([triad, "watch", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.url)
        self.port, self.query = parts.port, parts.query

    def get(self, path, method="GET", host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True)
        if host is not None:
            connection.putheader("Host", host)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), dict(answer.getheaders())

    def data(self, **wish):
        code, text, _ = self.get(f"/data?{self.query}&{urllib.parse.urlencode(wish)}", host="localhost")
        assert code == 200, text
        return json.loads(text)

    def seconds(self):
        """Of processor time so far, children (readers of HDF5) too."""
        fields = open(f"/proc/{self.process.pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture
def serve(triad):
    servers = []

    def start(*args):
        servers.append(Server(triad, *args))
        if not servers[-1].url:
            said = servers[-1].process.communicate(timeout=20)[1]
            if "has no web server" in said:
                pytest.skip("built without libmicrohttpd")
            pytest.fail(said)
        return servers[-1]

    yield start
    for server in servers:
        server.process.terminate()
        assert server.process.wait(10) == 0


# ---- who may look ----

def test_only_this_machine_with_the_token_sees_the_page_and_no_other_path(serve, runs):
    server = serve(*runs)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}", server.url)
    code, text, headers = server.get(f"/?{server.query}", host=f"127.0.0.1:{server.port}")
    assert code == 200 and text == PAGE.read_text() and len(text) < 300e3
    assert "default-src 'none'" in headers["Content-Security-Policy"] and headers["X-Content-Type-Options"] == "nosniff"
    for host in ("localhost", "[::1]:80", f"localhost:{server.port}"):
        assert server.get(f"/?{server.query}", host=host)[0] == 200
    for host in (None, "", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "localhost:80@evil", "127.0.0.2",
                 "localhost:", "localhost:8x"):
        assert server.get(f"/?{server.query}", host=host)[0] in (400, 403), host
    for query in ("", "token=", "token=0", server.query[:-1], server.query + "0", server.query.upper()):
        assert server.get(f"/?{query}", host="localhost")[0] == 403, query
        assert server.get(f"/data?{query}", host="localhost")[0] == 403, query
    for path in ("/series.csv", "/../../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/data/..", "/index.html"):
        assert server.get(f"{path}?{server.query}", host="localhost")[0] == 404, path
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert server.get(f"/?{server.query}", method, host="localhost")[0] in (404, 405), method
    for run in (2, 99999999999999999999, -1, "x"):
        code = server.get(f"/data?{server.query}&run={run}", host="localhost")[0]
        assert code == (404 if str(run).startswith(("2", "9")) else 200)
    bound = subprocess.run(["ss", "-ltn"], capture_output=True, text=True).stdout if os.path.exists("/usr/bin/ss") else ""
    assert f"0.0.0.0:{server.port}" not in bound


def test_wrong_words_are_refused(triad, runs, tmp_path):
    for args, code in ((["--port", "70000", runs[1]], 64), (["--port", "x", runs[1]], 64), ([], 64), ([tmp_path / "none"], 66),
                       ([tmp_path], 65), ([runs[1]] * 33, 64)):
        done = subprocess.run([triad, "watch", *map(str, args)], capture_output=True, text=True, timeout=20)
        assert done.returncode == code, (args, done)


# ---- what it tells ----

def test_rows_come_as_they_are_written_and_anew_when_the_file_is_another(serve, runs, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / "case.resolved.toml").write_text("")
    series = run / "series.csv"
    server = serve(run)
    assert server.data()["runs"] == 1 and "rows" not in server.data()
    series.write_text(HEAD + "0,0,0,1\n1,0.5,0.5,\n2,1,0.")
    first = server.data()
    assert first["names"] == ["step", "t", "dt", "energy"] and first["about"][3] == ["energy", "U^2", "mean"]
    assert first["rows"] == [[0, 0, 0, 1], [1, 0.5, 0.5, None]], "a torn row waits, an empty place is none"
    with open(series, "a", encoding="ascii") as file:
        file.write("5,4\n")
    more = server.data(inode=first["inode"], row=2)
    assert more["first"] == 2 and more["rows"] == [[2, 1, 0.5, 4]] and "names" not in more
    (run / "new").write_text(HEAD.replace("energy\n", "energy,case\n") + "0,0,0,1,0\n")
    (run / "new").replace(series)
    anew = server.data(inode=first["inode"], row=3)
    assert anew["first"] == 0 and anew["names"][-1] == "case" and anew["rows"] == [[0, 0, 0, 1, 0]]
    with open(series, "w", encoding="ascii"):
        pass
    assert "rows" not in server.data(inode=anew["inode"], row=1)


def test_numbers_are_those_of_the_files(serve, runs):
    import h5py
    server, run = serve(*runs), runs[0]
    got = server.data()
    assert got["state"] == "finished" and got["name"] == NASTY
    rows = [line.split(",") for line in outputs.rows(run)[1:]]
    assert [row[0] for row in got["rows"]] == [int(row[0]) for row in rows] and got["all"] == len(rows)
    energy = got["names"].index("energy")
    assert all(abs(a[energy] - float(b[energy])) <= 1e-8 * float(b[energy]) for a, b in zip(got["rows"], rows))
    newest = max((run / "spectra").glob("*.h5"))
    with h5py.File(newest) as file:
        assert got["spectrum"]["E"] == pytest.approx(list(file["E"][:]), rel=1e-5, abs=1e-300)
        assert got["spectrum"]["k"] == pytest.approx(list(file["k"][:]), rel=1e-5)
    import base64
    (picture,) = got["slices"]["pictures"]
    assert base64.b64decode(picture["png"]) == max((run / "slices").glob("*.png")).read_bytes()
    again = server.data(spectrum=got["spectrum"]["step"], slice=got["slices"]["step"])
    assert "spectrum" not in again and "slices" not in again


# ---- points in space ----

PARTICLES = CASE.replace("end = 0.5", "end = 0.1\ndt = 0.01").replace("[16, 16, 16]", "[8, 8, 8]").replace("slices_interval = 0.25", "particles_interval = 0.01") + """
[[particles]]
name = "many"
count = 3000
[[particles]]
name = "few"
count = 7
"""
MESH = """
[equations]
solver = "fct"
[grid]
kind = "tets"
n = [4, 3, 2]
length = [1, 1, 1]
[initial]
kind = "sod"
[time]
end = 0.01
[output]
fields_interval = 0.01
slices = []
"""


@pytest.fixture(scope="module")
def in_space(triad, launcher, tmp_path_factory):
    """Runs with particles and on a mesh, and walls of blocks as a made-up file."""
    import h5py
    import numpy as np
    folder = tmp_path_factory.mktemp("space")
    for name, case in (("drift", PARTICLES), ("mesh", MESH)):
        (folder / f"{name}.toml").write_text(case)
        assert launcher(1, triad, "run", folder / f"{name}.toml", "--dir", folder / name, "--set", "output.report=false").code == 0
    (folder / "blocks/surfaces").mkdir(parents=True)
    (folder / "blocks/case.resolved.toml").write_text("")
    with h5py.File(folder / "blocks/surfaces/surface-00000012.h5", "w") as file:
        file.attrs["t"] = 1.25
        for i, name in enumerate(("x.wing", "y.wing", "z.wing", "p.wing")):
            file[name] = np.arange(5.0) + 10 * i
    return folder


def clouds(server, **wish):
    return {c["name"]: c for c in server.data(**wish)["points"]["clouds"]}


def test_particles_are_those_of_the_last_row(serve, in_space):
    """Of 3000 particles every second; the row is in the second file of rows."""
    import h5py
    import numpy as np
    server = serve(in_space / "drift")
    got = clouds(server)
    assert sorted(got) == ["few", "many"] and (in_space / "drift/particles/many.0001.h5").exists()
    for name, shown in (("few", np.arange(7)), ("many", np.arange(0, 3000, 2))):
        with h5py.File(in_space / f"drift/particles/{name}.h5") as file:
            x, u, step, t = file["position"][-1], file["velocity"][-1], file["step"][-1], file["t"][-1]
        cloud = got[name]
        assert (cloud["of"], cloud["all"], cloud["step"], cloud["t"], cloud["value"]) == ("particles", len(x), step, pytest.approx(t), "speed")
        assert np.allclose(np.transpose([cloud[a] for a in "xyz"]), x[shown], rtol=1e-4, atol=1e-12)
        assert np.allclose(cloud["v"], np.linalg.norm(u[shown], axis=1), rtol=1e-4, atol=1e-12)
    stamp = server.data()["points"]["stamp"]
    assert "points" not in server.data(points=stamp), "the page has them"
    os.utime(in_space / "drift/particles/few.h5")
    assert server.data(points=stamp)["points"]["stamp"] != stamp, "there are others"


def test_outer_faces_of_a_mesh_and_walls_have_the_pressure(serve, in_space):
    import h5py
    import numpy as np
    (cloud,) = clouds(serve(in_space / "mesh")).values()
    x = np.transpose([cloud[a] for a in "xyz"])
    # two triangles for each outer face of the 4 x 3 x 2 cubes, on one side of the box
    assert cloud["of"] == "mesh" and cloud["all"] == len(x) == 2 * 2 * (12 + 8 + 6) and cloud["t"] == pytest.approx(0.01)
    assert ((np.abs(x) < 1e-9) | (np.abs(x - 1) < 1e-4)).any(axis=1).all()
    with h5py.File(max((in_space / "mesh/fields").glob("*.vtkhdf"))) as file:
        p, first, corner, points = (file[f"VTKHDF/{name}"][:] for name in ("CellData/p", "Offsets", "Connectivity", "Points"))
    centre = np.array([points[corner[a:b]].mean(axis=0) for a, b in zip(first, first[1:])])
    for place, value in zip(x, cloud["v"]):
        # a third of the face's corners and the fourth one of its cell: none is nearer than its own, and most are it
        near = np.argsort(np.linalg.norm(centre - place, axis=1))[:4]
        assert np.isclose(p[near], value, rtol=1e-4).any()
    assert clouds(serve(in_space / "blocks")) == {"wing": {
        "of": "walls", "name": "wing", "value": "p", "step": 12, "t": 1.25, "all": 5, "x": [0, 1, 2, 3, 4], "y": [10, 11, 12, 13, 14],
        "z": [20, 21, 22, 23, 24], "v": [30, 31, 32, 33, 34]}}


def test_points_come_from_the_run_and_damaged_files_are_not_shown(triad, in_space, tmp_path):
    run = tmp_path / "run"
    for name in ("particles", "surfaces", "fields"):
        (run / name).mkdir(parents=True)
    (run / "case.resolved.toml").write_text("")
    (run / "particles/linked.h5").symlink_to(in_space / "drift/particles/few.h5")
    (run / "particles/linked.0000.h5").symlink_to(in_space / "drift/particles/few.0000.h5")
    shutil.copy(in_space / "drift/particles/few.h5", run / "particles/half.h5")
    (run / "particles/half.0000.h5").symlink_to(in_space / "drift/particles/few.0000.h5")
    (run / "particles/rubbish.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\xff" * 3000)
    (run / "surfaces/surface-00000001.h5").symlink_to(in_space / "blocks/surfaces/surface-00000012.h5")
    (run / "fields/fields-00000001.vtkhdf").write_bytes(max((in_space / "mesh/fields").glob("*.vtkhdf")).read_bytes()[:5000])
    subprocess.run([triad, "watch", run, "--files", tmp_path / "page"], check=True, timeout=60, capture_output=True)
    page = (tmp_path / "page/watch.html").read_text()
    assert '"clouds": []' in page


def test_arrays_of_other_shapes_and_links_within_files_are_not_shown(triad, in_space, tmp_path):
    """A dataset with more dimensions than its place has, and a group that is a link to another file."""
    import h5py
    run = tmp_path / "run"
    for name in ("particles", "surfaces", "fields"):
        (run / name).mkdir(parents=True)
    (run / "case.resolved.toml").write_text("")
    shutil.copy(in_space / "blocks/surfaces/surface-00000012.h5", run / "surfaces")
    with h5py.File(run / "surfaces/surface-00000012.h5", "a") as file:
        del file["p.wing"]
        file.create_dataset("p.wing", (5, 2**40), chunks=(1, 1024), fillvalue=7.0)
    for name in ("few.h5", "few.0000.h5"):
        shutil.copy(in_space / "drift/particles" / name, run / "particles")
    with h5py.File(run / "particles/few.0000.h5", "a") as file:
        shape = file["velocity"].shape
        del file["velocity"]
        file.create_dataset("velocity", (*shape, 2**20), chunks=(1, 1, 1, 1024), fillvalue=7.0)
    newest = max((in_space / "mesh/fields").glob("*.vtkhdf"))
    shutil.copy(newest, run / "fields")
    with h5py.File(tmp_path / "secret.h5", "w") as file, h5py.File(newest) as there:
        file["private/p"] = there["VTKHDF/CellData/p"][:] * 0 + 111
    with h5py.File(run / "fields" / newest.name, "a") as file:
        del file["VTKHDF/CellData"]
        file["VTKHDF/CellData"] = h5py.ExternalLink(str(tmp_path / "secret.h5"), "/private")
    subprocess.run([triad, "watch", run, "--files", tmp_path / "page"], check=True, timeout=60, capture_output=True)
    assert '"clouds": []' in (tmp_path / "page/watch.html").read_text()


def test_looking_costs_less_than_half_a_percent_of_a_core(serve, runs):
    """A page asks for each run every 2 s, so an answer may take 10 ms of processor time."""
    server = serve(*runs)
    while (got := server.data(run=1, row=0 if not (seen := locals().get("seen", 0)) else seen, inode=locals().get("inode", 0)))["rows"]:
        seen, inode = got["first"] + len(got["rows"]), got["inode"]
    first = server.data(run=0)
    before, n = server.seconds(), 40
    for _ in range(n):
        server.data(run=1, row=10000, inode=got["inode"], slice=4)
        server.data(run=0, row=first["all"], inode=first["inode"], spectrum=first["spectrum"]["step"], slice=first["slices"]["step"])
    assert (server.seconds() - before) / (2 * n) < 0.01


# ---- in a browser ----

needs_browser = pytest.mark.skipif(not browser.find(), reason=f"{browser.PACKAGE} is not installed")


@needs_browser
def test_page_shows_runs_and_runs_nothing_of_theirs(serve, runs):
    server = serve(*runs)
    with browser.Browser() as b:
        page = b.open(server.url)
        wait_for(lambda: page.evaluate("runs.length == 2 && runs[1].rows.length == 10000"), "runs with all of their rows")
        text = page.evaluate("document.body.innerText")
        assert NASTY in text and "</script><b>bold</b>" in text and "<i>1</i>" in text and "finished" in text
        assert not page.evaluate("document.querySelectorAll('#said b, #changes i, .name img').length")
        assert page.evaluate("+document.querySelector('canvas.series').dataset.points") > 10000
        assert page.evaluate("+document.getElementById('spectrum').dataset.points") > 5
        assert page.evaluate("[...document.querySelectorAll('#slices img')].filter(i => i.naturalWidth > 0).length") == 1
        # 10,000 rows: a redraw takes less than two frames at 25 a second
        assert page.evaluate("(() => { const t = performance.now(); for (let i = 0; i < 5; i++) drawSeries(); "
                             "return (performance.now() - t) / 5; })()") < 80
        assert not [m for m in page.messages if "img" not in m and "data:" not in m], page.messages
        assert all(r.startswith((f"http://127.0.0.1:{server.port}/", "data:")) for r in page.requests)


@needs_browser
def test_residuals_and_coefficients_are_shown_first_and_residuals_logarithmic(triad, runs, tmp_path):
    launched = subprocess.run((triad, "watch", *runs, "--files", tmp_path / "page"), capture_output=True, text=True, timeout=60)
    assert launched.returncode == 0, launched
    with browser.Browser() as b:
        page = b.open(tmp_path / "page/watch.html", width=1200, height=900)
        page.evaluate("document.querySelectorAll('select.column').forEach(s => s.replaceChildren());"
                      " runs.splice(0, runs.length, {name: 'a', colour: '#000', names: ['step', 't', 'energy', 'residual_mass', 'cl', 'cd'], about: [],"
                      " rows: [[0, 0, 1, 1, 0.2, 0.1], [10, 10, 1, 1e-5, 0.3, 0.1]]}); drawSeries()")
        assert page.evaluate("[...document.querySelectorAll('select.column')].map(s => s.value).join()") == "residual_mass,cd,cl"
        assert page.evaluate("[...document.querySelectorAll('.log')].map(s => s.checked).join()") == "true,false,false"


@needs_browser
def test_points_are_drawn_within_the_box(triad, in_space, tmp_path):
    runs = [in_space / name for name in ("drift", "mesh", "blocks")]
    subprocess.run((triad, "watch", *runs, "--files", tmp_path / "page"), check=True, capture_output=True, timeout=60)
    with browser.Browser() as b:
        page = b.open(tmp_path / "page/watch.html", width=1200, height=900)
        drawn = "[...document.querySelectorAll('#points canvas')].map(c => c.dataset.points).join()"
        assert page.evaluate(drawn) == "7,1500,104,5" and not page.messages
        page.evaluate("(() => { const s = $('view'); s.value = 'x z'; s.dispatchEvent(new Event('change')); })()")
        assert page.evaluate(drawn) == "7,1500,104,5"
        assert page.evaluate("boxOf(runs[0]).map(v => v.toFixed(6)).join()") == "6.283185,6.283185,6.283185" and page.evaluate("boxOf(runs[2])") is None
        # a particle beyond the box is drawn at its place in it: the picture of a shifted one is the same
        shifted = ("(() => { const c = document.querySelector('#points canvas'), p = runs[0].points.clouds[0], was = c.toDataURL();"
                   " drawCloud(c, {...p, x: p.x.map(v => v + 2 * boxOf(runs[0])[0])}, boxOf(runs[0])); return was === c.toDataURL(); })()")
        assert page.evaluate(shifted)
        # in a mean shear the box above is displaced along x
        sheared = ("(() => { const c = document.querySelector('#points canvas'), p = {...runs[0].points.clouds[0], t: 1.3}, l = boxOf(runs[0]); drawCloud(c, p, l, 0.5);"
                   " const was = c.toDataURL(); drawCloud(c, {...p, x: p.x.map(v => v + 0.65 * l[1]), y: p.y.map(v => v + l[1])}, l, 0.5);"
                   " return was === c.toDataURL(); })()")
        assert page.evaluate(sheared)


@needs_browser
def test_page_of_files_needs_no_server_and_nothing_beside_it(triad, runs, tmp_path):
    done = subprocess.run([triad, "watch", *runs, "--files", tmp_path / "page"], capture_output=True, text=True, timeout=60)
    path = tmp_path / "page" / "watch.html"
    assert done.returncode == 0 and str(path) in done.stdout, "no run goes on, so it writes once"
    assert path.stat().st_size < 600e3 and os.listdir(tmp_path / "page") == ["watch.html"]
    with browser.Browser() as b:
        page = b.open(path, width=390, height=844, mobile=True)
        text = page.evaluate("document.body.innerText")
        assert NASTY in text and "</script><b>bold</b>" in text
        assert page.evaluate("runs[1].rows.length") < 1502 and page.evaluate("runs[1].rows.at(-1)[0]") == 9999
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits a telephone"
        assert all(r.startswith(("file:", "data:")) for r in page.requests)


def test_page_names_no_other_place():
    assert not re.findall(r"https?://|@import|src=|<link(?! rel=\"icon\" href=\"data:)", PAGE.read_text())


def test_files_follow_a_run_to_its_end(mpirun, triad, tmp_path):
    case = tmp_path / "case.toml"
    case.write_text(CASE.replace("end = 0.5", "end = 1000\ndt = 1e-3").replace("series_interval = 0", "series_interval = 0.01"))
    run = tmp_path / "run"
    process = mpirun.start(1, triad, "run", case, "--dir", run, stdout=subprocess.DEVNULL)
    wait_for((run / "series.csv").exists, "series", process)
    watcher = subprocess.Popen([triad, "watch", run, "--files", tmp_path / "page", "--every", "1"], stdout=subprocess.DEVNULL)
    page, sizes = tmp_path / "page" / "watch.html", set()

    def has_followed():
        if page.exists():
            sizes.add(page.read_text().count("],["))
        return len(sizes) >= 3 and '"phases_s' in page.read_text().replace("\\", "")

    wait_for(has_followed, "page of three lengths, with the phases", watcher)
    subprocess.run([triad, "stop", run, "--wait"], check=True, timeout=30, stdout=subprocess.DEVNULL)
    process.wait(30)
    assert watcher.wait(20) == 0
    assert '"state": "stopped"' in page.read_text()


@pytest.mark.parametrize("kind", ["header", "sparse", "log"])
def test_endless_lines_neither_hold_the_server_up_nor_its_end(serve, tmp_path, kind):
    run = tmp_path / "run"
    run.mkdir()
    (run / "case.resolved.toml").write_text("")
    if kind == "header":
        (run / "series.csv").write_text("".join(f"# c{i} [1]: x\n" for i in range(60000)) + "step,t\n1,2\n")
    else:
        with open(run / ("series.csv" if kind == "sparse" else "log.txt"), "wb") as file:
            file.truncate(20 << 30)
    server = serve(run)
    assert server.data()["state"] == "unknown"
    server.process.terminate()
    assert server.process.wait(10) == 0


def test_links_lead_nowhere(triad, tmp_path):
    """Whoever may write to a run directory cannot have the page show what its reader may read."""
    secret, run = tmp_path / "secret", tmp_path / "run"
    secret.write_text('{"secret": "hidden-words"}\n2026-01-01T00:00:00Z warning hidden-words\nstep,hidden-words\n')
    away = tmp_path / "away"
    away.mkdir()
    (away / "slice1-speed-00000009.png").write_text("hidden-words")
    (run / "slices").mkdir(parents=True)
    (run / "case.resolved.toml").write_text("")
    for name in ("status.json", "case.changes.csv", "log.txt", "series.csv", "provenance.json", "slices/slice1-a-00000001.png"):
        (run / name).symlink_to(secret)
    for folder in (None, away):
        if folder:
            shutil.rmtree(run / "slices")
            (run / "slices").symlink_to(folder)
        subprocess.run([triad, "watch", run, "--files", tmp_path / "page"], check=True, timeout=60, capture_output=True)
        page = (tmp_path / "page/watch.html").read_text()
        assert "hidden-words" not in page and base64.b64encode(b"hidden-words").decode()[:12] not in page


def test_idle_connections_do_not_keep_the_page_away(serve, runs):
    server, idle = serve(runs[1]), []
    try:
        for i in range(100):
            idle.append(socket.create_connection(("127.0.0.1", server.port), timeout=20))
            if i % 2:
                idle[-1].sendall(b"GET / HT")
        assert server.data()["state"] == "unknown"
        for s in idle:  # each is closed by the server within seconds, whatever little it sends
            s.settimeout(20)
            assert s.recv(10) == b""
    finally:
        for s in idle:
            s.close()
