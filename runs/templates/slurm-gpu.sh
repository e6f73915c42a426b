#!/bin/bash
#SBATCH --job-name=triad
#SBATCH --nodes=1
#SBATCH --gpus-per-node=4
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=12:00:00
#SBATCH --signal=USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append

# A rank for each GPU. All ranks of a node must see all its GPUs, to copy between them: no --gpus-per-task, no --gpu-bind; the
# ranks share them out by themselves. The rest is as in slurm-srun.sh; see README.md here.
case=${TRIAD_CASE:-case.toml}
run=${TRIAD_RUN:-my-run}
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}

# "gpu": without one the job ends with code 69, and does not spend its hours on the cores
${SRUN:-srun} --cpus-per-task="$OMP_NUM_THREADS" "${TRIAD:-triad}" run "$case" --dir "$run" --set parallel.device=gpu
code=$?

# a steady flow that has not converged after all its steps ends with 75 too, and would do so again
if [ "$code" -eq 75 ] && [ ! -e "$run/no-requeue" ] && ! tail -n 5 "$run/log.txt" | grep -q "not converged"; then
  echo "stopped with a checkpoint: back into the queue"
  scontrol requeue "$SLURM_JOB_ID" || echo "scontrol could not: submit this script again" >&2
fi
exit "$code"
