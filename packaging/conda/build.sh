#!/bin/sh
# Called by conda build, with the environment that it sets. Every library by its place; CGNS and PT-Scotch are left out.
set -e
p=$PREFIX
settings() {
  make -j "${CPU_COUNT:-2}" "$@" MPICC=mpicc CXX="$CXX" PREFIX="$p" OPT="$CFLAGS $LDFLAGS -O3" \
    FFTW_CFLAGS="-I$p/include" FFTW_LIBS="-L$p/lib -lfftw3 -lfftw3f" \
    HDF5_CFLAGS="-I$p/include" HDF5_LIBS="-L$p/lib -lhdf5" \
    HWLOC_CFLAGS="-I$p/include" HWLOC_LIBS="-L$p/lib -lhwloc" \
    XXHASH_CFLAGS="-I$p/include" XXHASH_LIBS="-L$p/lib -lxxhash" \
    PNG_CFLAGS="-I$p/include" PNG_LIBS="-L$p/lib -lpng" TOML_CFLAGS="-I$p/include" \
    MICROHTTPD_CFLAGS="-I$p/include" MICROHTTPD_LIBS="-L$p/lib -lmicrohttpd" \
    ZLIB_CFLAGS="-I$p/include" ZLIB_LIBS="-L$p/lib -lz" EXPAT_CFLAGS="-I$p/include" EXPAT_LIBS="-L$p/lib -lexpat" \
    METIS_CFLAGS="-I$p/include" METIS_LIBS="-L$p/lib -lmetis" ZFP_CFLAGS="-I$p/include" ZFP_LIBS="-L$p/lib -lzfp" \
    CGNS_CFLAGS= CGNS_LIBS= SCOTCH_CFLAGS= SCOTCH_LIBS= NCCL_CFLAGS= NCCL_LIBS=
}
export OMPI_CC="$CC" MPICH_CC="$CC"
settings install
# import triad: the package looks for lib/libtriad.so three folders up, as from share/triad/triad
mkdir -p "$SP_DIR"
ln -s "$p/share/triad/triad" "$SP_DIR/triad"
ln -s "$p/share/triad/triad_plot" "$SP_DIR/triad_plot"
