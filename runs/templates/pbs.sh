#!/bin/bash
#PBS -N triad
#PBS -l select=1:ncpus=2:mpiprocs=2
#PBS -l walltime=12:00:00
#PBS -j oe

# PBS warns of its limit by TERM, too late for a large run: Triad stops by itself ahead of `limit`, which is the
# walltime above, in the margin that its checkpoints have taken. See README.md here.
limit=${TRIAD_LIMIT:-11:55:00}
case=${TRIAD_CASE:-case.toml}
run=${TRIAD_RUN:-my-run}
script=${TRIAD_SCRIPT:-pbs.sh} # this file, where it was submitted: what runs here is a copy of it
export OMP_NUM_THREADS=1

cd "${PBS_O_WORKDIR:-.}" || exit 1
pid=
trap 'got=1; [ -n "$pid" ] && kill -USR1 "$pid"' USR1 TERM

${MPIRUN:-mpirun} "${TRIAD:-triad}" run "$case" --dir "$run" --max-walltime "$limit" &
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
  qsub "$script" || echo "qsub could not: submit this script again" >&2
fi
exit "$code"
