#!/bin/bash
# BIN=path of triad; H100 or H200. Tables on stdout.
BIN=${1:-${BIN:-build/cuda/bin/triad}}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-16}
W=$(mktemp -d)
cat > $W/c.toml <<'E'
[equations]
solver = "fct"
[grid]
kind = "tets"
n = [84, 84, 84]
length = [1, 1, 1]
[initial]
kind = "sod"
[time]
end = 100
[parallel]
device = "gpu"
[output]
report = false
E
run() { # name, seconds, sets..
  local name=$1 limit=$2; shift 2; local args=(); for s in "$@"; do args+=(--set "$s"); done
  local t0=$(date +%s.%N)
  echo "== $name"; timeout $limit $BIN bench $W/c.toml --steps 20 "${args[@]}" 2>&1 | grep -v "^$" | head -60
  echo "-- $name took $(echo "$(date +%s.%N) - $t0" | bc) s"
}
# right first: GPU against CPU
for k in 'grid.kind="hybrid"' 'grid.kind="tets"'; do for d in cpu gpu; do
  rm -rf $W/$d; $BIN run -q $W/c.toml --dir $W/$d --set "$k" --set 'grid.n=[16,12,12]' --set time.max_steps=50 --set 'initial.kind="blast"' --set initial.radius=0.3 --set initial.energy=5 --set "parallel.device=\"$d\"" --set 'boundaries.patches=["xmin: farfield, pressure=1","ymin: outflow"]' 2>&1 | tail -2; done
  echo "== GPU against CPU, 50 steps, $k"; tail -1 $W/cpu/series.csv | cut -c1-150; tail -1 $W/gpu/series.csv | cut -c1-150
  python3 - $W <<'P'
import sys,glob,h5py,numpy as np
def st(d):
    p=sorted(glob.glob(d+'/checkpoints/*/points.h5'))[-1]
    with h5py.File(p) as f: return np.array([f[n][:].ravel() for n in ("rho","rho_u","rho_v","rho_w","e")])
a,b=st(sys.argv[1]+'/cpu'),st(sys.argv[1]+'/gpu'); print('largest relative difference', abs(a-b).max()/abs(a).max())
P
done
run "tets 3.6 M rcm gather" 40
run "tets 3.6 M coalesced gather" 40 'grid.numbering="coalesced"'
run "tets 3.6 M rcm colours" 40 'grid.loops="colours"'
run "tets 3.6 M coalesced colours" 40 'grid.numbering="coalesced"' 'grid.loops="colours"'
run "tets 3.6 M rcm atomics" 40 'grid.loops="atomics"'
run "tets 3.6 M central" 40 'equations.high_order="central"'
run "tets 3.6 M coalesced central" 40 'grid.numbering="coalesced"' 'equations.high_order="central"'
run "hexes 8 M structured" 40 'grid.kind="hexes"' 'grid.n=[200,200,200]'
run "hexes 8 M unstructured" 40 'grid.kind="hexes"' 'grid.n=[200,200,200]' 'grid.structured="none"'
run "hexes 8 M structured central" 40 'grid.kind="hexes"' 'grid.n=[200,200,200]' 'equations.high_order="central"'
run "hexes 8 M structured single" 40 'grid.kind="hexes"' 'grid.n=[200,200,200]' 'precision="single"'
[ -n "$LONG" ] && run "tets 13.2 M rcm" 90 'grid.n=[130,130,130]'
[ -n "$LONG" ] && run "hexes 16.8 M structured" 90 'grid.kind="hexes"' 'grid.n=[256,256,256]'
rm -rf $W
