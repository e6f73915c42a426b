#!/bin/bash
#SBATCH --job-name=triad
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --signal=USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append

# For clusters that start MPI programs by srun. USR1 goes to the ranks themselves (no "B:"), 600 s ahead of the limit: they
# save and end, and this shell has nothing to pass on. See README.md here.
case=${TRIAD_CASE:-case.toml}
run=${TRIAD_RUN:-my-run}
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}

# srun does not take the cores of a rank from sbatch by itself (Slurm 22.05 and newer)
${SRUN:-srun} --cpus-per-task="$OMP_NUM_THREADS" "${TRIAD:-triad}" run "$case" --dir "$run"
code=$?

# a steady flow that has not converged after all its steps ends with 75 too, and would do so again
if [ "$code" -eq 75 ] && [ ! -e "$run/no-requeue" ] && ! tail -n 5 "$run/log.txt" | grep -q "not converged"; then
  echo "stopped with a checkpoint: back into the queue"
  scontrol requeue "$SLURM_JOB_ID" || echo "scontrol could not: submit this script again" >&2
fi
exit "$code"
