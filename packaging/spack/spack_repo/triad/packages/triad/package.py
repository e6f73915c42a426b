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

    license("BSD-3-Clause", checked_by="the Triad authors")

    # both are built from the checkout that `spack dev-build` is called in: nothing is fetched
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

    def settings(self):
        spec = self.spec
        args = [
            "V=1",
            f"MPICC={spec['mpi'].mpicc}",
            f"CXX={spack_cxx}",
            "OPT=-O3",  # the compiler wrapper names the architecture
            f"PREFIX={self.prefix}",
            f"TOML_CFLAGS=-I{spec['tomlplusplus'].prefix.include}",
            f"XXHASH_CFLAGS=-I{spec['xxhash'].prefix.include}",
            f"XXHASH_LIBS={spec['xxhash'].libs.ld_flags}",
        ]
        # an empty list of libraries builds without
        for name, variable, libraries in (
            ("cgns", "CGNS", "-lcgns"),
            ("metis", "METIS", "-lmetis"),
            ("scotch", "SCOTCH", "-lptscotch -lscotch -lptscotcherr"),
            ("zfp", "ZFP", "-lzfp"),
        ):
            if spec.satisfies(f"+{name}"):
                prefix = spec[name].prefix
                args += [
                    f"{variable}_CFLAGS=-I{prefix.include}",
                    f"{variable}_LIBS=-L{spec[name].libs.directories[0]} {libraries}",
                ]
            else:
                args += [f"{variable}_CFLAGS=", f"{variable}_LIBS="]
        if spec.satisfies("+cuda"):
            arch = spec.variants["cuda_arch"].value[0]
            args += ["CUDA=1", f"CUDA_HOME={spec['cuda'].prefix}", f"GPU_ARCH=-arch=sm_{arch}"]
        return args

    def build(self, spec, prefix):
        make(*self.settings())

    def install(self, spec, prefix):
        make("install", *self.settings())

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def version_is_told(self):
        Executable(self.prefix.bin.triad)("--version")
