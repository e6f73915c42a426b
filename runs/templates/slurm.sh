#!/bin/bash
#SBATCH --job-name=triad
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --signal=B:USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append

# USR1 comes to this shell 600 s ahead of the limit: time for the step at hand and a checkpoint. See README.md here.
case=${TRIAD_CASE:-case.toml}
run=${TRIAD_RUN:-my-run}
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}

pid=
trap 'got=1; [ -n "$pid" ] && kill -USR1 "$pid"' USR1 TERM

${MPIRUN:-mpirun} "${TRIAD:-triad}" run "$case" --dir "$run" &
pid=$!
while :; do
  got=
  wait "$pid"
  code=$?
  # a trapped signal ends the wait too, with 128 and its number: then the run is still there
  if [ -z "$got" ] || [ "$code" -le 128 ]; then break; fi
done

# a steady flow that has not converged after all its steps ends with 75 too, and would do so again
if [ "$code" -eq 75 ] && [ ! -e "$run/no-requeue" ] && ! tail -n 5 "$run/log.txt" | grep -q "not converged"; then
  echo "stopped with a checkpoint: back into the queue"
  scontrol requeue "$SLURM_JOB_ID" || echo "scontrol could not: submit this script again" >&2
fi
exit "$code"
