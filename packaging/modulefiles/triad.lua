-- Environment module (Lmod). Copy it to triad/0.1.0-dev.lua on the module path, and set the prefix of `make install`.
local prefix = "/usr/local"

help([[Triad, direct numerical simulation of turbulence. man triad; triad --help]])
whatis("Name: Triad")
whatis("Version: 0.1.0-dev")
whatis("Description: direct numerical simulation of turbulence: spectral, WENO, staggered, curvilinear and unstructured solvers")

-- the MPI that it was built with, by its name on this cluster:
-- depends_on("openmpi")

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "lib"))
prepend_path("LIBRARY_PATH", pathJoin(prefix, "lib"))
prepend_path("CPATH", pathJoin(prefix, "include"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
-- import triad
prepend_path("PYTHONPATH", pathJoin(prefix, "share/triad"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
setenv("TRIAD_RUNS", pathJoin(prefix, "share/triad/runs"))
