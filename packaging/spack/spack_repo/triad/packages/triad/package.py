# Recipe of Triad for Spack 1.0 and newer. From the top of a checkout:
#   spack repo add packaging/spack/spack_repo/triad && spack dev-build triad@main
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Triad(MakefilePackage, CudaPackage):
    """Direct numerical simulation of turbulence with MPI, OpenMP and CUDA: dealiased pseudospectral Navier-Stokes,
    Boussinesq, magnetohydrodynamics and Gross-Pitaevskii flows; WENO finite differences for compressible flow; a
    staggered-mesh solver for incompressible flow between walls and around solids; finite volumes on curvilinear
    blocks; and flux-corrected transport on unstructured meshes."""

    # of the sources; binaries with FFTW are under version 2 or later of the GPL, those with METIS too under version 3
    license("BSD-3-Clause", checked_by="the Triad authors")

    # both are built from the checkout that `spack dev-build` is called in: nothing is fetched. `make release` writes an
    # archive, and a copy of this file with its address and checksum, which `spack install` builds
    version("main")
    version("0.1.0-dev")

    variant("plot", default=True, description="Python with what triad-plot and triad report need")
    variant("cgns", default=True, description="Read and write grids and fields in CGNS files")
    variant("metis", default=True, description="Partition unstructured meshes with METIS")
    variant("scotch", default=False, description="Partition unstructured meshes in parallel with PT-Scotch")
    variant("zfp", default=True, description="Write fields compressed by zfp with a bound on their error")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("fftw-api@3")
    depends_on("fftw@3.3: precision=float,double ~mpi", when="^[virtuals=fftw-api] fftw")
    depends_on("hdf5@1.10: ~mpi")
    depends_on("hwloc@2:")
    depends_on("tomlplusplus@3:")
    depends_on("xxhash@0.8:")
    depends_on("libpng@1.6:")
    depends_on("libmicrohttpd@0.9.50:")
    depends_on("zlib-api")
    depends_on("expat")
    depends_on("cmocka", type=("build", "test"))
    depends_on("cgns@4: ~mpi +hdf5", when="+cgns")
    depends_on("metis@5.1:", when="+metis")
    depends_on("scotch@7: +mpi", when="+scotch")
    depends_on("zfp@0.5.5:", when="+zfp")
    depends_on("cuda@12:", when="+cuda")
    depends_on("nccl", when="+cuda")
    with when("+plot"):
        depends_on("python@3.9:", type="run")
        depends_on("py-numpy", type="run")
        depends_on("py-h5py", type="run")
        depends_on("py-matplotlib", type="run")

    conflicts("cuda_arch=none", when="+cuda", msg="name the GPU generation: cuda_arch=90")

    def place(self, name, variable, libraries):
        """The settings of one library; libraries None: without it."""
        if libraries is None:
            return [f"{variable}_CFLAGS=", f"{variable}_LIBS="]
        found = self.spec[name]
        return [
            f"{variable}_CFLAGS=-I{found.prefix.include}",
            f"{variable}_LIBS=-L{found.libs.directories[0]} {libraries}",
        ]

    def settings(self):
        spec = self.spec
        args = [
            "V=1",
            f"MPICC={spec['mpi'].mpicc}",
            f"CXX={spack_cxx}",
            "OPT=-O3",  # the compiler wrapper names the architecture
            f"PREFIX={self.prefix}",
            f"TOML_CFLAGS=-I{spec['tomlplusplus'].prefix.include}",
            f"FFTW_CFLAGS={spec['fftw-api'].headers.include_flags}",
            f"FFTW_LIBS={spec['fftw-api:double,float'].libs.ld_flags}",
        ]
        # every library by its place: none is looked for in the system
        for name, variable, libraries in (
            ("hdf5", "HDF5", "-lhdf5"),
            ("hwloc", "HWLOC", "-lhwloc"),
            ("xxhash", "XXHASH", "-lxxhash"),
            ("libpng", "PNG", "-lpng"),
            ("libmicrohttpd", "MICROHTTPD", "-lmicrohttpd"),
            ("zlib-api", "ZLIB", "-lz"),
            ("expat", "EXPAT", "-lexpat"),
        ):
            args += self.place(name, variable, libraries)
        # an empty list of libraries builds without
        for name, variable, libraries in (
            ("cgns", "CGNS", "-lcgns"),
            ("metis", "METIS", "-lmetis"),
            ("scotch", "SCOTCH", "-lptscotch -lscotch -lptscotcherr"),
            ("zfp", "ZFP", "-lzfp"),
        ):
            args += self.place(name, variable, libraries if spec.satisfies(f"+{name}") else None)
        if spec.satisfies("+cuda"):
            arch = spec.variants["cuda_arch"].value[0]
            args += ["CUDA=1", f"CUDA_HOME={spec['cuda'].prefix}", f"GPU_ARCH=-arch=sm_{arch}"]
            args += self.place("nccl", "NCCL", "-lnccl")
        return args

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.share.triad)  # import triad
        env.set("TRIAD_RUNS", self.prefix.share.triad.runs)

    def build(self, spec, prefix):
        make(*self.settings())

    def install(self, spec, prefix):
        make("install", *self.settings())

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def version_is_told(self):
        Executable(self.prefix.bin.triad)("--version")
