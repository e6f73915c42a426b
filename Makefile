# Triad's build. Settings live in Makefile.inc; objects go to build/, the program to bin/.
#   make               the program and the libraries      make check      every test
#   make unit          the unit tests' programs           make probe      are all libraries there?
#   make install       PREFIX=/usr/local DESTDIR=         make uninstall  likewise
#   make fuzz          60 s of libFuzzer for each kind of input of others (tests/fuzz/README.md)
#   make torture       300 runs killed, cut from power, out of disk: no hand, no difference (tests/help/torture.py)
#   make python        import triad: build/python for PYTHONPATH, and a wheel (docs/python.md)
#   make clean         remove build/ and bin/             make help       this list
#   make mutants       small faults in the arithmetic, each of which a test must notice (tests/mutants/run)
#   make dist          build/triad-VERSION.tar.gz, the sources of this commit
#   make release       build/release: that archive, its checksum, the EasyBuild recipe with it (tools/release)
#   make docs          the guide as a site, build/docs/html/index.html; it reads well raw too: docs/README.md
#   make print-config  compilers, flags, libraries         make format     all sources by clang-format 14 (.clang-format)
#   make compile_commands.json   the commands of all sources, for clangd and the like; builds nothing
# With any of them:
#   V=1                show commands                      SANITIZE=1      address and UB sanitizers, build/sanitize
#   CUDA=1             build the GPU part too; then also: make check-gpu, make bench-gpu on a machine with a GPU,
#                      make bench-gpus on one with several;
#                      GPU_SIZES=few, all: line lengths with kernels in the program: five for a quick build, or all 19 that
#                      were tuned; the default has seven. Others are compiled when a run first needs them
#   HIP=1              the same for AMD GPUs (docs/amd.md); make check-hip compiles every kernel for two of them
#   WERROR=1           warnings are errors (as in CI)     TESTS="..."     arguments of pytest for check: files, -k
#   ROOM=multiblock    for check: only the tests of a folder of the sources, tests/ROOM and tests/unit/ROOM
#   QUICK=1            for check: some tests of every room, within two minutes on two cores
include Makefile.inc
-include Makefile.local

# values that Makefile.inc asks pkg-config for, asked once and not at every use
found := $(foreach l,FFTW HDF5 HWLOC TOML XXHASH PNG MICROHTTPD CGNS ZFP ZLIB EXPAT METIS SCOTCH CMOCKA,$(l)_CFLAGS $(l)_LIBS)
$(foreach v,$(found),$(eval $(v) := $$($(v))))

VERSION := $(shell cat VERSION)
BUILD   := build
ifdef SANITIZE
BUILD   := build/sanitize
SANFLAGS := -fsanitize=address,undefined -fno-omit-frame-pointer -g
endif
BIN     := $(if $(SANITIZE),$(BUILD)/bin,bin)

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))
comma := ,
quote = '$(subst ','\'',$(1))'

# under sanitizers gcc warns of what cannot happen, so warnings stay warnings there
ERROR    := $(if $(WERROR),$(if $(SANITIZE),,-Werror))
INCLUDES := -Isrc -I.
# clang, where it is named: members without an initialiser are meant to be 0, mpicc names libraries when it compiles, and
# loops that are for gcc's vectors need not be for clang's
clang := $(findstring clang,$(MPICC) $(OMPI_CC) $(MPICH_CC) $(I_MPI_CC) $(CC))
empty :=
quiet := $(if $(clang),$(empty) -Wno-missing-field-initializers -Wno-unused-command-line-argument -Wno-pass-failed -Wno-unknown-pragmas)
CFLAGS   := $(CSTD) $(OPT) -ffp-contract=fast -fopenmp -fvisibility=hidden -fPIC $(WARN)$(quiet) \
            $(SANFLAGS) $(INCLUDES) -D_GNU_SOURCE -MMD -MP \
            $(FFTW_CFLAGS) $(HDF5_CFLAGS) $(HWLOC_CFLAGS) $(XXHASH_CFLAGS) $(PNG_CFLAGS)
CXXFLAGS := -std=c++17 -O2 -fvisibility=hidden -fPIC $(WARN) $(SANFLAGS) $(INCLUDES) -MMD -MP $(TOML_CFLAGS)
LIBS     := $(FFTW_LIBS) $(HDF5_LIBS) $(HWLOC_LIBS) $(XXHASH_LIBS) $(PNG_LIBS) -lstdc++ -lm
# what a program needs that is linked with libtriad.a
all_libs  = $(LIBS) $(CGNS_LIBS) $(ZFP_LIBS) $(GRAPH_LIBS) $(FORMAT_LIBS)

# Sources that know no precision are compiled once. Those that hold numbers of a field's precision are compiled twice, in
# double and in single; the outside names of the second are renamed when its objects are made (src/base/precision.h). The folder says
# which: fields/ under src, transpose, lines/, pass/ and gpu/ under fft, solvers/box, and the families but for their keys, their
# rooms plain/, and text/compile/ and text/code/.
once := $(sort $(wildcard $(foreach d,base case case/read case/formula case/schema parallel parallel/host parallel/transports grid store store/checkpoint \
        store/hdf5 store/formats store/rows store/lock mesh mesh/read mesh/read/gmsh mesh/read/vtk mesh/read/cgns mesh/read/foam mesh/make mesh/parts mesh/write blocks blocks/read blocks/make blocks/write run run/bench run/means,src/$(d)/*.c) \
        transpose/plain/*.c fft/at_points/*.c fft/public/*.c solvers/*.c solvers/particles/*.c solvers/gas/*.c solvers/*/keys.c solvers/*/case/keys.c solvers/*/plain/*.c solvers/spectral/*/plain/*.c solvers/spectral/text/compile/*.c solvers/spectral/text/code/*.c))
both := $(sort $(filter-out %/keys.c solvers/particles/% solvers/gas/% $(wildcard solvers/*/plain/*.c),$(wildcard src/*/fields/*.c transpose/*.c fft/lines/*.c fft/pass/*.c fft/gpu/*.c \
        solvers/*/*.c solvers/*/*/*.c)))
cmd  := $(sort $(wildcard src/command/*.c src/command/*/*.c))
driven := $(sort $(wildcard src/drive/*.c))

# gpu_*.c drive kernels, and transports/ carries messages between GPUs; a build without CUDA has none of them
gpu_sources := $(wildcard src/parallel/transports/*.c $(foreach d,src/parallel src/parallel/host src/grid src/grid/fields transpose fft/at_points fft/gpu solvers/* \
               solvers/*/*,$(d)/gpu_*.c))
once := $(filter-out $(if $(CUDA)$(HIP),,$(gpu_sources)),$(once) $(if $(HIP),src/parallel/hip/kernel_names.c))
both := $(filter-out $(if $(CUDA)$(HIP),,$(gpu_sources)),$(both))
cxx  := $(sort $(wildcard src/*/*.cpp src/*/*/*.cpp))

# CUDA=1 and HIP=1 add the GPU part: every .cu in both precisions, points.cu and spectral.cu once per equation set, the sweep
# of blocks once per Riemann solver (solvers/gas/kinds.h).
fluxes   := $(shell sed -n 's/^ *X.TRIAD_GAS_\([A-Z_]*\),.*/\1/p' solvers/gas/kinds.h)
ifneq ($(CUDA)$(HIP),)
ifneq ($(and $(CUDA),$(HIP)),)
$(error a program is for GPUs of one maker: CUDA=1 or HIP=1)
endif
# (those with kernels: a set that is a table of loops on the CPU has no _points.h)
sets     := $(foreach s,$(shell sed -n 's/^ *X(\([a-z_0-9]*\)).*/\1/p' solvers/spectral/equations/list.h),$(if $(wildcard solvers/spectral/equations/$(s)_points.h),$(s)))
kernels  := $(filter-out cuda/fft/at_points.cu cuda/parallel/device.cu cuda/parallel/put.cu cuda/spectral/points.cu cuda/spectral/spectral.cu cuda/multiblock/sweep.cu,$(sort $(wildcard cuda/*/*.cu)))
gpu_sizes := $(if $(filter few,$(GPU_SIZES)),-DTRIAD_GPU_FEW)$(if $(filter all,$(GPU_SIZES)),-DTRIAD_GPU_ALL)
ifdef CUDA
CFLAGS   += -DTRIAD_CUDA $(CUDA_CFLAGS) $(if $(NCCL_LIBS),-DTRIAD_NCCL $(NCCL_CFLAGS))
NVFLAGS  := -O3 -std=c++17 $(GPU_ARCH) -Xcompiler -fPIC,-fvisibility=hidden $(INCLUDES) -DTRIAD_CUDA -MMD -MP \
            $(NVCC_COMPRESS) $(gpu_sizes)
LIBS     += $(NCCL_LIBS) $(CUDA_LIBS)
else
# the folder has CUDA's headers, whose names become HIP's
CFLAGS   += -DTRIAD_CUDA -DTRIAD_HIP -D__HIP_PLATFORM_AMD__ -Isrc/parallel/hip $(HIP_CFLAGS) $(if $(RCCL_LIBS),-DTRIAD_NCCL $(RCCL_CFLAGS))
NVCC     := $(HIPCC) -x hip
NVFLAGS  := -O3 -std=c++17 $(HIP_ARCH:%=--offload-arch=%) -fPIC -fvisibility=hidden -Isrc/parallel/hip $(INCLUDES) -include cuda_runtime.h \
            -DTRIAD_CUDA -DTRIAD_HIP -MMD -MP -Wno-cuda-compat -Wno-bitwise-conditional-parentheses $(gpu_sizes)
LIBS     += $(RCCL_LIBS) $(HIP_LIBS)
# hipcc makes device code of constant tables that a file gives to others; this one has functions of the host
$(BUILD)/once/cuda/parallel/device.o: private NVFLAGS += --cuda-host-only
endif
# sources that the program has in it, to compile kernels of other line lengths when they are wanted (fft/gpu/gpu_compiled.h);
# what NVRTC has not, fft/gpu/device_compiled.h says
texts    := $(wildcard fft/gpu/device_*.h) fft/gpu/gpu_lines.h transpose/plain/chains.h transpose/chain_points.h $(wildcard cuda/fft/lines_*.cu) cuda/spectral/points.cu cuda/spectral/set_extremes.cu src/base/precision.h src/base/point.h \
            src/base/random.h src/case/formula/formula_points.h solvers/spectral/force/formula_kernel.h solvers/spectral/force/formula_pass.h \
            $(wildcard solvers/spectral/equations/*_points.h) solvers/spectral/equations/kernels.h solvers/spectral/equations/gpu_set.h \
            solvers/spectral/equations/device_measure.h solvers/spectral/equations/device_stage.h src/grid/bin_points.h \
            solvers/spectral/text/compile/matrix_points.h solvers/spectral/text/text_points.h solvers/spectral/text/text_kernel.h \
            $(if $(HIP),src/parallel/hip/device_kernels.h src/parallel/hip/device_warp.h)
blank    := stdint.h float.h math.h type_traits cuda_pipeline.h
gpu      := $(BUILD)/once/texts.o $(BUILD)/once/cuda/parallel/device.o $(BUILD)/once/cuda/parallel/put.o $(BUILD)/once/cuda/fft/at_points.o $(foreach p,double single,$(kernels:cuda/%.cu=$(BUILD)/$(p)/cuda/%.o) \
            $(sets:%=$(BUILD)/$(p)/cuda/spectral/points-%.o) $(sets:%=$(BUILD)/$(p)/cuda/spectral/spectral-%.o) $(fluxes:%=$(BUILD)/$(p)/cuda/multiblock/sweep-%.o))
# these take up to a minute and a half each: with many cores the build ends when they do, so make reaches them early
slow     := $(foreach p,raw double,$(sets:%=$(BUILD)/$(p)/cuda/spectral/points-%.o) $(BUILD)/$(p)/cuda/compressible/hybrid.o $(fluxes:%=$(BUILD)/$(p)/cuda/multiblock/sweep-%.o))
endif

objects := $(once:%.c=$(BUILD)/once/%.o) $(both:%.c=$(BUILD)/double/%.o) $(both:%.c=$(BUILD)/single/%.o) \
           $(cxx:%.cpp=$(BUILD)/once/%.o) $(gpu)
# cases that `triad new` writes, included in the program as they are
templates := $(sort $(wildcard src/command/new/templates/*.toml))
command := $(cmd:%.c=$(BUILD)/once/%.o) $(BUILD)/once/templates.o
drive   := $(driven:%.c=$(BUILD)/once/%.o)
in_double := $(filter $(BUILD)/double/%,$(objects))

# One program, build/tests/test_x, for each tests/unit/ROOM/test_x.c; a second one in single precision if its first comment says
# "precision: both".
unit_sources := $(sort $(wildcard tests/unit/*/test_*.c))
unit_rooms   := $(sort $(notdir $(patsubst %/,%,$(dir $(unit_sources)))))
ifneq ($(wildcard tests/unit/test_*.c tests/test_*.py),)
$(error $(wildcard tests/unit/test_*.c tests/test_*.py): a test belongs to a room, tests/unit/ROOM/ or tests/ROOM/ (tests/README.md))
endif
unit_both    := $(if $(unit_sources),$(shell awk 'FNR == 1 { over = 0 } over { next } \
                  /precision: *both/ { print FILENAME; over = 1 } /\*\// { over = 1 }' $(unit_sources)))
unit := $(patsubst %.c,$(BUILD)/tests/%,$(notdir $(unit_sources))) $(patsubst %.c,$(BUILD)/tests/%-single,$(notdir $(unit_both)))

major     := $(firstword $(subst ., ,$(VERSION)))
libraries := $(BUILD)/libtriad.a $(if $(SANITIZE),,$(BUILD)/libtriad.so $(if $(ZFP_LIBS),$(BUILD)/hdf5/libtriadzfp.so))

.PHONY: print-texts print-sources print-gpu all python unit check check-long check-hip format check-gpu bench-gpu bench-gpus fuzz torture mutants probe probe-tests dist release docs install uninstall clean help print-config force
.SECONDARY:
.DELETE_ON_ERROR:
all: $(BIN)/triad $(libraries)
unit: $(unit)

ifneq ($(filter-out clean dist docs help print-config print-gpu print-sources print-texts probe probe-tests release uninstall,$(or $(MAKECMDGOALS),all)),)
ifeq ($(shell command -v $(firstword $(MPICC)) 2>/dev/null),)
$(error $(firstword $(MPICC)) is not there: tools/deps installs what Triad needs, or set MPICC in Makefile.inc)
endif
endif

$(BIN)/triad: $(command) $(BUILD)/libtriad.a $(BUILD)/objects | $(BIN)
	$(call say,LINK,$@)
	$(Q)$(MPICC) $(CFLAGS) -o $@ $(command) $(BUILD)/libtriad.a $(all_libs) $(MICROHTTPD_LIBS)
$(BUILD)/libtriad.a: $(once:%.c=$(BUILD)/once/%.o) $(slow) $(objects) $(BUILD)/objects
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(objects)
# the program is in it too: what drives a run starts one as the program does
$(BUILD)/libtriad.so: $(objects) $(command) $(drive) $(BUILD)/objects
	$(call say,LINK,$@)
	$(Q)$(MPICC) $(CFLAGS) -shared $(SHARED_LDFLAGS) -Wl,-soname,libtriad.so.$(major) -o $@ $(objects) $(command) $(drive) $(all_libs) $(MICROHTTPD_LIBS)
$(BIN):
	@mkdir -p $@

$(BUILD)/once/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) $(STAMP) $(ERROR) -c $< -o $@
# there a number of a field is an incomplete type: no source reads one by mistake
$(once:%.c=$(BUILD)/once/%.o): private CFLAGS += -DTRIAD_ONCE
# the page of triad watch stands in the program; its server is there where its library is
$(BUILD)/once/src/command/watch/watch_page.o: src/command/watch/watch.html
$(BUILD)/once/src/command/watch/watch_server.o: $(BUILD)/microhttpd
$(BUILD)/once/src/command/watch/watch_server.o: private CFLAGS += $(if $(MICROHTTPD_LIBS),-DTRIAD_MICROHTTPD $(MICROHTTPD_CFLAGS))
# likewise what speaks to CGNS
with_cgns := $(patsubst %.c,$(BUILD)/once/%.o,$(wildcard src/store/formats/cgns*.c)) $(BUILD)/tests/unit/blocks/test_cgns.o $(BUILD)/tests/unit/mesh/test_mesh_cgns.o
$(with_cgns): $(BUILD)/cgns
$(with_cgns): private CFLAGS += $(if $(CGNS_LIBS),-DTRIAD_CGNS $(CGNS_CFLAGS))
# likewise what deals cells to ranks
GRAPH_LIBS := $(METIS_LIBS) $(SCOTCH_LIBS)
FORMAT_LIBS := $(ZLIB_LIBS) $(EXPAT_LIBS)
with_graphs := $(BUILD)/once/src/parallel/graph_metis.o $(BUILD)/once/src/parallel/graph_scotch.o $(BUILD)/tests/unit/mesh/test_mesh_graph.o
$(with_graphs): $(BUILD)/graphs
$(with_graphs): private CFLAGS += $(if $(METIS_LIBS),-DTRIAD_METIS $(METIS_CFLAGS)) $(if $(SCOTCH_LIBS),-DTRIAD_SCOTCH $(SCOTCH_CFLAGS))
# likewise what unpacks files and reads XML
with_formats := $(BUILD)/once/src/store/formats/gzip.o $(BUILD)/once/src/mesh/read/vtk/vtu.o $(BUILD)/once/src/mesh/read/vtk/vtu_data.o
$(with_formats): $(BUILD)/formats
$(with_formats): private CFLAGS += $(if $(ZLIB_LIBS),-DTRIAD_ZLIB $(ZLIB_CFLAGS)) $(if $(EXPAT_LIBS),-DTRIAD_EXPAT $(EXPAT_CFLAGS))
# likewise what packs fields; and the plugin by which other programs read them
with_zfp := $(BUILD)/once/src/store/hdf5/zfp.o $(BUILD)/once/src/store/hdf5/zfpfilter.o $(BUILD)/hdf5/libtriadzfp.so
$(with_zfp): $(BUILD)/zfp
$(with_zfp): private CFLAGS += $(if $(ZFP_LIBS),-DTRIAD_ZFP $(ZFP_CFLAGS))
$(BUILD)/hdf5/libtriadzfp.so: src/store/hdf5/zfpfilter.c $(BUILD)/flags
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) -DTRIAD_PLUGIN $(ERROR) -shared -o $@ $< $(ZFP_LIBS)
$(BUILD)/once/%.o: %.cpp $(BUILD)/flags
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CXXFLAGS) $(ERROR) -c $< -o $@
$(BUILD)/double/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) $(ERROR) -c $< -o $@
# the sweeps take roots and choose between values in vector registers
$(BUILD)/double/solvers/compressible/%.o $(BUILD)/raw/solvers/compressible/%.o \
$(BUILD)/double/solvers/multiblock/%.o $(BUILD)/raw/solvers/multiblock/%.o \
$(foreach d,unstructured closure,$(BUILD)/double/solvers/$(d)/%.o $(BUILD)/raw/solvers/$(d)/%.o): CFLAGS += -fno-math-errno -fno-trapping-math
$(BUILD)/raw/%.o: %.c $(BUILD)/flags
	$(call say,CC,"$< (single)")
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) -DTRIAD_SINGLE $(ERROR) -c $< -o $@
# in single, triad_x is called triadf_x, and what is written triadf_x there is the one in double
$(BUILD)/single/%.o: $(BUILD)/raw/%.o $(BUILD)/single.names
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) --redefine-syms=$(BUILD)/single.names $< $@

$(BUILD)/texts.c: Makefile $(texts)
	@mkdir -p $(@D)
	$(Q)i=0; { echo '#include "parallel/gpu_program.h"'; for f in $(texts); do i=$$((i + 1)); \
	  printf 'extern const char text_%s[];\n__asm__(".pushsection .rodata\\n.local text_%s\\ntext_%s: .incbin \"%s\"\\n.byte 0\\n.popsection");\n' \
	    $$i $$i $$i "$$f"; done; i=0; echo 'const triad_gpu_text triad_gpu_texts[] = {'; \
	  for f in $(texts); do i=$$((i + 1)); printf '  {"%s", text_%s},\n' "$${f#src/}" $$i; done; \
	  printf '  {"%s", "\\n"},\n' $(blank); echo '  {0, 0}};'; } > $@
$(BUILD)/templates.c: Makefile $(BUILD)/templates $(templates)
	@mkdir -p $(@D)
	$(Q)i=0; { echo '#include "command/new/template.h"'; for f in $(templates); do i=$$((i + 1)); \
	  printf 'extern const char template_%s[];\n__asm__(".pushsection .rodata\\n.local template_%s\\ntemplate_%s: .incbin \"%s\"\\n.byte 0\\n.popsection");\n' \
	    $$i $$i $$i "$$f"; done; i=0; echo 'const triad_template_file triad_template_files[] = {'; \
	  for f in $(templates); do i=$$((i + 1)); printf '  {"%s", template_%s},\n' "$$(basename "$$f" .toml)" $$i; done; \
	  echo '  {0, 0}};'; } > $@
$(BUILD)/once/templates.o: $(BUILD)/templates.c $(templates) $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) $(ERROR) -c $< -o $@

$(BUILD)/once/texts.o: $(BUILD)/texts.c $(texts) $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) $(ERROR) -c $< -o $@

single_flag = $(if $(findstring /raw/,$@),-DTRIAD_SINGLE)
define compile_cu
	$(call say,NVCC,"$<$(if $(single_flag), (single))")
	@mkdir -p $(@D)
	$(Q)$(NVCC) $(NVFLAGS) $(single_flag) -c $< -o $@
endef
$(BUILD)/once/cuda/%.o: cuda/%.cu $(BUILD)/flags
	$(compile_cu)
$(BUILD)/double/cuda/%.o: cuda/%.cu $(BUILD)/flags
	$(compile_cu)
$(BUILD)/raw/cuda/%.o: cuda/%.cu $(BUILD)/flags
	$(compile_cu)
# the word behind the hyphen: an equation set, or a Riemann solver
set = $(lastword $(subst -, ,$(basename $(notdir $@))))
set_flag = $(if $(findstring /sweep-,$@),-DTRIAD_FLUX=TRIAD_GAS_$(set),-DTRIAD_SET=$(set))
define compile_set
	$(call say,NVCC,"$< for $(set)$(if $(single_flag), (single))")
	@mkdir -p $(@D)
	$(Q)$(NVCC) $(NVFLAGS) $(single_flag) $(set_flag) -c $< -o $@
endef
$(foreach p,double raw,$(sets:%=$(BUILD)/$(p)/cuda/spectral/points-%.o)): cuda/spectral/points.cu $(BUILD)/flags
	$(compile_set)
$(foreach p,double raw,$(sets:%=$(BUILD)/$(p)/cuda/spectral/spectral-%.o)): cuda/spectral/spectral.cu $(BUILD)/flags
	$(compile_set)
$(foreach p,double raw,$(fluxes:%=$(BUILD)/$(p)/cuda/multiblock/sweep-%.o)): cuda/multiblock/sweep.cu $(BUILD)/flags
	$(compile_set)

# tests include what they share from tests/help
unit_flags = $(CFLAGS) -iquote tests/help/unit -iquote tests/help $(CMOCKA_CFLAGS)
$(BUILD)/tests/unit/%.o: tests/unit/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(unit_flags) $(ERROR) -c $< -o $@
$(BUILD)/raw/tests/unit/%.o: tests/unit/%.c $(BUILD)/flags
	$(call say,CC,"$< (single)")
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(unit_flags) -DTRIAD_SINGLE $(ERROR) -c $< -o $@
$(BUILD)/tests/unit/%-single.o: $(BUILD)/raw/tests/unit/%.o $(BUILD)/single.names
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) --redefine-syms=$(BUILD)/single.names $< $@
# $(call programs_of,ROOM)
define programs_of
$(filter $(patsubst tests/unit/$(1)/%.c,$(BUILD)/tests/%,$(filter tests/unit/$(1)/%,$(unit_sources))) \
         $(patsubst tests/unit/$(1)/%.c,$(BUILD)/tests/%-single,$(filter tests/unit/$(1)/%,$(unit_both))),$(unit)): \
         $(BUILD)/tests/%: $(BUILD)/tests/unit/$(1)/%.o $(BUILD)/libtriad.a
	$$(call say,LINK,$$@)
	$$(Q)$$(MPICC) $$(CFLAGS) $$(WRAP) -o $$@ $$< $$(FAKED) $(BUILD)/libtriad.a $$(all_libs) $$(CMOCKA_LIBS)
endef
$(foreach r,$(unit_rooms),$(eval $(call programs_of,$(r))))
# the calls that tests/help/unit/inject.h makes fail
$(BUILD)/tests/test_faults $(BUILD)/tests/test_drive $(BUILD)/tests/test_mesh_partition: private WRAP := $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc aligned_alloc strdup \
  open_memstream open close pwrite pread fsync fallocate ftruncate mkdir rename renameat2 unlink rmdir opendir fork)
$(BUILD)/tests/test_mesh_graph: private WRAP := -Wl,--wrap=METIS_PartGraphKway -Wl,--wrap=SCOTCH_dgraphPart

# what goes between GPUs, over a CUDA runtime on the host
faked := $(patsubst %.c,$(BUILD)/tests/faked/%.o,src/parallel/device.c $(wildcard src/parallel/transports/*.c) \
         src/grid/fields/gpu_halo.c src/grid/fields/gpu_gather.c transpose/gpu_exchange.c tests/help/fake/device.c)
$(BUILD)/tests/faked/%.o: %.c $(BUILD)/flags
	$(call say,CC,"$< (faked CUDA)")
	@mkdir -p $(@D)
	$(Q)$(MPICC) -Itests/help/fake $(CFLAGS) -UTRIAD_CUDA -UTRIAD_NCCL -DTRIAD_CUDA -DTRIAD_NCCL $(ERROR) -c $< -o $@
# the same with a solver's kernels, which the host's compiler takes for C++ (tests/help/fake/kernels.h):
# $(call on_faked,PROGRAMS,SOURCES IN C,KERNELS)
$(BUILD)/tests/faked/%.o: %.cu $(BUILD)/flags
	$(call say,CXX,"$< (faked CUDA)")
	@mkdir -p $(@D)
	$(Q)$(CXX) -Itests/help/fake -include cuda_runtime.h $(CXXFLAGS) -Wno-unknown-pragmas -Wno-maybe-uninitialized -DTRIAD_CUDA $(ERROR) -x c++ -c $< -o $@
$(BUILD)/tests/faked/cuda/fft/lines_%.o $(BUILD)/tests/faked/cuda/spectral/set_extremes.o: CXXFLAGS += -DTRIAD_GPU_FEW
faked_parts = $(filter-out %/gpu_exchange.o,$(faked)) $(patsubst %.c,$(BUILD)/tests/faked/%.o,$(wildcard $(1))) \
              $(patsubst %.cu,$(BUILD)/tests/faked/%.o,$(wildcard $(2)))
define on_faked
$(1:%=$(BUILD)/tests/%): $(call faked_parts,$(2),$(3))
$(1:%=$(BUILD)/tests/%): private FAKED := $(call faked_parts,$(2),$(3)) -lstdc++
$(1:%=$(BUILD)/tests/%): private WRAP := -Wl,--wrap=MPIX_Query_cuda_support
endef
$(eval $(call on_faked,test_staggered_gpu test_staggered_gpu_cases test_staggered_heat_gpu,solvers/staggered/gpu/*.c,cuda/staggered/*.cu))
# the spectral solver's: one pass, and whole flows
faked_sets := $(foreach s,hd boussinesq mhd gpe,$(BUILD)/tests/faked/cuda/spectral/points-$(s).o $(BUILD)/tests/faked/cuda/spectral/spectral-$(s).o)
define compile_faked_set
	$(call say,CXX,"$< for $(set) (faked CUDA)")
	@mkdir -p $(@D)
	$(Q)$(CXX) -Itests/help/fake -include cuda_runtime.h $(CXXFLAGS) -O1 -Wno-unknown-pragmas -Wno-maybe-uninitialized -Wno-unused-function \
	  -DTRIAD_CUDA -DTRIAD_GPU_FEW $(set_flag) $(ERROR) -x c++ -c $< -o $@
endef
$(filter $(BUILD)/tests/faked/cuda/spectral/points-%,$(faked_sets)): cuda/spectral/points.cu $(BUILD)/flags
	$(compile_faked_set)
$(filter $(BUILD)/tests/faked/cuda/spectral/spectral-%,$(faked_sets)): cuda/spectral/spectral.cu $(BUILD)/flags
	$(compile_faked_set)
faked_sweeps := $(fluxes:%=$(BUILD)/tests/faked/cuda/multiblock/sweep-%.o)
$(faked_sweeps): cuda/multiblock/sweep.cu $(BUILD)/flags
	$(compile_faked_set)
faked_blocks := $(filter-out %/sweep.cu,$(wildcard cuda/multiblock/*.cu))
spectral_gpu := $(wildcard fft/gpu/gpu_*.c) $(wildcard transpose/gpu_*.c) solvers/spectral/built.c $(foreach s,hd boussinesq mhd gpe,solvers/spectral/equations/$(s).c) solvers/spectral/text/set.c \
                $(wildcard solvers/spectral/*/gpu_*.c) tests/help/fake/program.c
spectral_gpu_tests := test_pass_gpu test_spectral_gpu test_values_gpu test_text_gpu test_relax_gpu test_closure_gpu test_joined_gpu test_split_gpu test_particles_gpu
$(eval $(call on_faked,$(spectral_gpu_tests),$(spectral_gpu),cuda/fft/lines_*.cu cuda/fft/library.cu cuda/fft/offload.cu cuda/spectral/modes.cu cuda/spectral/force.cu cuda/spectral/relax.cu cuda/spectral/closure.cu cuda/spectral/particles.cu cuda/spectral/set_extremes.cu cuda/spectral/probes.cu cuda/spectral/values.cu cuda/spectral/gpe.cu))
$(spectral_gpu_tests:%=$(BUILD)/tests/%): $(faked_sets)
$(spectral_gpu_tests:%=$(BUILD)/tests/%): private FAKED += $(faked_sets)
$(eval $(call on_faked,test_compressible_gpu,solvers/compressible/state/compressible.c solvers/compressible/gpu/*.c,cuda/compressible/*.cu))
$(eval $(call on_faked,test_compressible_particles_gpu test_compressible_force_gpu,solvers/compressible/state/compressible.c solvers/compressible/gpu/*.c solvers/compressible/particles/built.c solvers/compressible/particles/gpu_*.c,cuda/compressible/*.cu))
$(eval $(call on_faked,test_multiblock_gpu,solvers/multiblock/gpu/*.c,$(faked_blocks)))
$(BUILD)/tests/test_multiblock_gpu: $(faked_sweeps)
$(BUILD)/tests/test_multiblock_gpu: private FAKED += $(faked_sweeps)
unstructured_gpu_tests := test_unstructured_gpu test_unstructured_gpu_bricks test_unstructured_gpu_corners test_unstructured_bricks test_unstructured_after_gpu test_unstructured_terms_gpu
$(eval $(call on_faked,$(unstructured_gpu_tests),solvers/unstructured/gpu/*.c,cuda/unstructured/*.cu))
$(eval $(call on_faked,test_at_points_gpu,fft/at_points/at_points.c fft/at_points/gpu_at_points*.c,cuda/fft/at_points.cu))
# all of them, for what runs copy
$(eval $(call on_faked,test_copied_gpu,$(spectral_gpu) $(foreach f,staggered multiblock unstructured,solvers/$f/gpu/*.c) solvers/compressible/state/compressible.c solvers/compressible/gpu/*.c \
  solvers/compressible/particles/built.c solvers/compressible/particles/gpu_*.c,\
  cuda/fft/library.cu cuda/fft/offload.cu cuda/spectral/modes.cu cuda/spectral/force.cu cuda/spectral/relax.cu cuda/spectral/closure.cu cuda/spectral/particles.cu cuda/spectral/set_extremes.cu cuda/spectral/probes.cu cuda/spectral/values.cu cuda/spectral/gpe.cu cuda/fft/lines_*.cu $(foreach f,staggered compressible unstructured,cuda/$f/*.cu) $(faked_blocks)))
$(BUILD)/tests/test_copied_gpu: $(faked_sets) $(faked_sweeps)
$(BUILD)/tests/test_copied_gpu: private FAKED += $(faked_sets) $(faked_sweeps)
# as in a build for AMD GPUs, which has no library of transforms
$(BUILD)/tests/test_staggered_gpu_cases $(BUILD)/tests/test_spectral_gpu: private WRAP += -Wl,--wrap=triad_device_transforms
# functions of warps alone
$(eval $(call on_faked,test_warps,,tests/unit/parallel/*.cu))
# kernels of lines of every length to 512, as NVRTC gets them; hundreds of them, so without optimisation
$(eval $(call on_faked,test_lines_gpu,,tests/unit/fft/lines_*.cu))
unit: $(BUILD)/tests/unit/fft/lengths
$(BUILD)/tests/unit/fft/lengths: tests/unit/fft/lengths.c $(BUILD)/double/fft/lines/radices.o
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) $(ERROR) -o $@ $^ -lm
$(BUILD)/tests/faked/lines_%.h: $(BUILD)/tests/unit/fft/lengths
	@mkdir -p $(@D)
	$(Q)$< $* > $@
$(foreach l,strided fused,$(eval $(BUILD)/tests/faked/tests/unit/fft/lines_$(l).o: $(BUILD)/tests/faked/lines_$(l).h))
$(BUILD)/tests/faked/tests/unit/fft/lines_%.o: CXXFLAGS += -O0 -I$(BUILD)/tests/faked
# the test itself includes what the CUDA runtime declares, on machines that have none of it
$(BUILD)/tests/unit/parallel/test_transports.o: private CFLAGS := -Itests/help/fake $(CFLAGS)
$(BUILD)/tests/test_transports: $(faked)
$(BUILD)/tests/test_transports: private FAKED := $(faked)
$(BUILD)/tests/test_transports: private WRAP := -Wl,--wrap=MPIX_Query_cuda_support

# a driven run is of the program's parts, but for its main
$(BUILD)/tests/program.o: $(BUILD)/once/src/command/main.o
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) --localize-symbol=main $< $@
driver := $(drive) $(filter-out %/main.o,$(command)) $(BUILD)/tests/program.o
$(BUILD)/tests/test_drive: $(driver)
$(BUILD)/tests/test_drive: private FAKED := $(driver)
$(BUILD)/tests/test_drive: private CMOCKA_LIBS += $(MICROHTTPD_LIBS)

# Files that change only when what they say does: objects are made anew when the compilers or flags change, the
# library when a source comes or goes, and one object, which knows version and commit, with each commit.
# Two makes may be at it side by side, as in tests: each writes to a file of its own first
kept = mkdir -p $(@D); new=$@.$$$$; printf '%s\n' $(1) > $$new; if cmp -s $$new $@; then rm -f $$new; else mv -f $$new $@; fi;
# what compiled with -Werror is good without
flags = $(call quote,$(MPICC) $(CXX) $(if $(HIP),$(NVCC)) $(NVFLAGS) $(CFLAGS) $(CXXFLAGS) $(LIBS) $(1))
$(BUILD)/flags: force
	@$(if $(ERROR),false,printf '%s\n' $(call flags,-Werror) | cmp -s - $@) || { $(call kept,$(call flags,$(ERROR))) }
$(BUILD)/microhttpd: force
	@$(call kept,$(call quote,$(MICROHTTPD_CFLAGS) $(MICROHTTPD_LIBS)))
$(BUILD)/cgns: force
	@$(call kept,$(call quote,$(CGNS_CFLAGS) $(CGNS_LIBS)))
$(BUILD)/zfp: force
	@$(call kept,$(call quote,$(ZFP_CFLAGS) $(ZFP_LIBS)))
$(BUILD)/graphs: force
	@$(call kept,$(call quote,$(METIS_CFLAGS) $(SCOTCH_CFLAGS) $(GRAPH_LIBS)))
$(BUILD)/formats: force
	@$(call kept,$(call quote,$(ZLIB_CFLAGS) $(EXPAT_CFLAGS) $(FORMAT_LIBS)))
$(BUILD)/templates: force
	@$(call kept,$(templates))
$(BUILD)/objects: force
	@$(call kept,$(objects) $(command) $(drive))

# outside names of the objects in double, each with its name in single and the other way round; the address sanitizer has a
# name beside each of a table
$(BUILD)/single.names: $(in_double) $(BUILD)/objects
	@$(NM) -g --defined-only $(in_double) | awk '$$3 ~ /^(__odr_asan\.)?triad_/ { other = $$3; sub(/triad_/, "triadf_", other); \
	  print $$3, other; print other, $$3 }' | sort -u > $@.new; if cmp -s $@.new $@; then rm -f $@.new; touch $@; else mv -f $@.new $@; fi

c_string = "$(subst ",\",$(subst \,\\,$(1)))"
$(BUILD)/stamp.h: force
	@$(call kept,$(call quote,#define TRIAD_VERSION $(call c_string,$(VERSION))) \
	  "#define TRIAD_COMMIT \"$$(tools/commit)\"" \
	  "#define TRIAD_DATE \"$$(git log -1 --format=%cs 2>/dev/null || date -r VERSION +%F)\"" \
	  $(call quote,#define TRIAD_BUILD_FLAGS $(call c_string,$(strip $(MPICC) $(CSTD) $(OPT) $(SANFLAGS)))))
stamped := $(BUILD)/once/src/base/version.o
$(stamped): private STAMP := -include $(BUILD)/stamp.h
$(stamped): $(BUILD)/stamp.h

# A part of the tests builds only the programs that it runs.
part := $(strip $(foreach r,$(ROOM),$(or $(wildcard tests/$(r) tests/unit/$(r)),$(error no tests/$(r) and no tests/unit/$(r)))) \
        $(if $(QUICK),-m quick))$(if $(TESTS), $(TESTS))
pytest = TRIAD_BUILD=$(BUILD) TRIAD_BIN=$(BIN)/triad MPIRUN=$(call quote,$(MPIRUN)) MPICC=$(call quote,$(MPICC)) \
         PYTHON=$(call quote,$(PYTHON)) tests/pytest
check: all $(if $(part),,unit)
ifneq ($(part),)
	@needed=$$($(pytest) --programs $(part)) || { echo "$$needed"; exit 1; }; \
	  needed=$$(echo "$$needed" | sed -n 's|^needs |$(BUILD)/tests/|p'); [ -z "$$needed" ] || $(MAKE) --no-print-directory $$needed
endif
	@$(pytest) $(part)

# Flows with known answers, minutes to hours.
check-long: all
	$(Q)st=0; python="$$(tools/python numpy h5py pytest)"; \
	  for p in check splits check-unstructured blocks refusals foam threads; do "$$python" tests/long/$$p $(BIN)/triad || [ $$? = 77 ] || st=1; done; exit $$st

# On a machine with a GPU, unattended, ten minutes at most each: is it right, how fast is it. Tables come last. TESTS="..." are
# arguments of tests/gpu/check, tests/gpu/bench and tests/gpu/bench-gpus: make check-gpu CUDA=1 TESTS="fct --minutes 3"
check-gpu bench-gpu: all
	$(if $(CUDA),,@echo '$@ needs a build with CUDA=1' >&2; exit 64)
	$(Q)TRIAD_BUILD=$(BUILD) "$$(tools/python numpy h5py)" tests/gpu/$(@:-gpu=) $(BIN)/triad $(TESTS)

# Every kernel compiled for two AMD architectures, and the program linked; no GPU is needed. An hour of one core. TESTS="..." are
# arguments of tests/long/hip: make check-hip TESTS="--arch gfx90a --sizes few --only multiblock"
check-hip:
	$(Q)st=0; "$$(tools/python)" tests/long/hip $(or $(TESTS),--link) || st=$$?; [ $$st = 77 ] || exit $$st

# On one, two, four or eight of them, within ten minutes: every solver, triad plan beside it. The figures stay in a file.
bench-gpus: all
	$(if $(CUDA),,@echo '$@ needs a build with CUDA=1' >&2; exit 64)
	$(Q)"$$(tools/python numpy h5py)" tests/gpu/bench-gpus $(BIN)/triad --json $(BUILD)/bench-gpus.json $(TESTS)

# Programs of tests/fuzz: compiled apart, by clang, with a library in double of which they take what they need: readers of
# what others wrote, and the solvers' keys and starts. OpenMP's pragmas are ignored; its functions are the compiler's of make.
FUZZ_CC      ?= clang
FUZZ_CXX     ?= clang++
FUZZ_SECONDS ?= 60
fuzz_flags   := $(if $(ZLIB_LIBS),-DTRIAD_ZLIB $(ZLIB_CFLAGS)) $(if $(EXPAT_LIBS),-DTRIAD_EXPAT $(EXPAT_CFLAGS)) -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -Wno-unknown-pragmas \
                $(INCLUDES) -D_GNU_SOURCE -MMD -MP $(FFTW_CFLAGS) $(HDF5_CFLAGS) $(HWLOC_CFLAGS) $(XXHASH_CFLAGS) $(PNG_CFLAGS) \
                -DTRIAD_VERSION='"fuzz"' -DTRIAD_COMMIT='""' -DTRIAD_DATE='""' -DTRIAD_BUILD_FLAGS='""'
fuzz_omp      = $(shell $(MPICC) -print-file-name=$(1))
fuzz_objects := $(once:%.c=build/fuzz/%.o) $(both:%.c=build/fuzz/%.o) $(cxx:%.cpp=build/fuzz/%.o)
fuzz_names   := case set formula manifest header plot3d nmf mesh stl
# one reader for an hour: make fuzz FUZZ=mesh-su2 FUZZ_SECONDS=3600
FUZZ         ?= $(fuzz_names)
fuzz_mpi      = OMPI_CC=$(1) MPICH_CC=$(1) I_MPI_CC=$(1) $(lastword $(MPICC))
build/fuzz/%.o: %.c
	$(call say,CLANG,$<)
	@mkdir -p $(@D)
	$(Q)$(call fuzz_mpi,$(FUZZ_CC)) $(CSTD) $(fuzz_flags) -idirafter $(call fuzz_omp,include) -c $< -o $@
build/fuzz/%.o: %.cpp
	$(call say,CLANG,$<)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CXX) -std=c++17 $(fuzz_flags) $(TOML_CFLAGS) -c $< -o $@
build/fuzz/libtriad.a: $(fuzz_objects)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o build/fuzz/libtriad.a
	$(call say,LINK,$@)
	$(Q)$(call fuzz_mpi,$(FUZZ_CXX)) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS) $(FORMAT_LIBS) $(call fuzz_omp,libgomp.so)
fuzz:
	@tests/fuzz/clang $(FUZZ_CC) || exit 0; \
	  $(MAKE) --no-print-directory $(sort $(foreach n,$(FUZZ),build/fuzz/fuzz_$(firstword $(subst -, ,$(n))))) && \
	  FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run $(FUZZ)

# Its short form is a test of the suite.
TRIES ?= 300
torture: all
	$(Q)TRIAD_BIN=$(BIN)/triad "$$(tools/python numpy h5py)" tests/help/torture.py --tries $(TRIES)

# Mutation test, about 15 minutes of processor time; what is known is not tried again. MUTANTS: its options, as --only fct
mutants: all
	$(Q)"$$(tools/python numpy h5py pytest)" tests/mutants/run $(MUTANTS)

# Compiles and links a program that asks for everything; tools/deps believes it where packages have other names.
probe:
	@mkdir -p $(BUILD)/probe
	@printf '#include <%s>\n' mpi.h omp.h fftw3.h hdf5.h hwloc.h xxhash.h png.h > $(BUILD)/probe/probe.c
	@printf '%s\n' 'int main(int n, char **a) { unsigned v[3]; void *p = fftwf_malloc(n + 1); fftw_free(fftw_malloc(1));' \
	  'fftwf_free(p); return MPI_Init(&n, &a) + H5get_libversion(v, v + 1, v + 2) + (int)XXH_versionNumber() +' \
	  '(int)hwloc_get_api_version() + (int)png_access_version_number(); }' >> $(BUILD)/probe/probe.c
	@printf '#include <toml++/toml.h>\n' > $(BUILD)/probe/toml.cpp
	$(Q)cd $(BUILD)/probe && $(MPICC) $(filter-out -MMD -MP,$(CFLAGS)) -w -o probe probe.c $(LIBS)
	$(Q)cd $(BUILD)/probe && $(CXX) $(filter-out -MMD -MP,$(CXXFLAGS)) -w -fsyntax-only toml.cpp
# and for the unit tests
probe-tests:
	@mkdir -p $(BUILD)/probe
	@printf '#include <%s>\n' stdarg.h stddef.h setjmp.h stdint.h cmocka.h > $(BUILD)/probe/cmocka.c
	@echo 'int main(void) { return 0; }' >> $(BUILD)/probe/cmocka.c
	$(Q)cd $(BUILD)/probe && $(MPICC) $(CSTD) $(CMOCKA_CFLAGS) -w -o cmocka cmocka.c $(CMOCKA_LIBS)

# The Python package, for PYTHONPATH=build/python and as a wheel: sources, the library, and the readers of figures.
PY := $(BUILD)/python
plot_files := $(patsubst tools/%,%,$(wildcard $(addsuffix *.py,tools/triad_plot/ tools/triad_plot/*/ tools/triad_plot/*/*/)))
python: $(if $(SANITIZE),,$(BUILD)/libtriad.so)
	$(if $(SANITIZE),@echo 'make python: a tree with sanitizers has no shared library' >&2; exit 64)
	$(call say,PY,$(PY))
	$(Q)rm -rf $(PY) && mkdir -p $(PY)/triad
	$(Q)cp python/triad/*.py $(PY)/triad && for f in $(plot_files); do install -D -m 644 tools/"$$f" $(PY)/"$$f" || exit 1; done
	$(Q)cp $(BUILD)/libtriad.so $(PY)/triad/libtriad.so
	$(Q)python3 python/wheel $(PY) $(VERSION)

# DESTDIR stands before every path that is written, and in none that is recorded.
to := $(call quote,$(DESTDIR)$(PREFIX))
header := $(wildcard fft/public/triad.h)
install: all
	install -d $(to)/bin $(to)/lib/pkgconfig $(to)/share/triad
	install -m 755 $(BIN)/triad $(to)/bin/triad
	install -m 644 $(BUILD)/libtriad.a $(to)/lib/libtriad.a
ifndef SANITIZE
	install -m 755 $(BUILD)/libtriad.so $(to)/lib/libtriad.so.$(VERSION)
	ln -sf libtriad.so.$(VERSION) $(to)/lib/libtriad.so.$(major)
	ln -sf libtriad.so.$(major) $(to)/lib/libtriad.so
endif
ifneq ($(filter %/libtriadzfp.so,$(libraries)),)
	install -d $(to)/lib/triad/hdf5
	install -m 755 $(BUILD)/hdf5/libtriadzfp.so $(to)/lib/triad/hdf5/libtriadzfp.so
endif
ifneq ($(header),)
	install -d $(to)/include
	install -m 644 $(header) $(to)/include/triad.h
	install -m 644 src/drive/triad_drive.h $(to)/include/triad_drive.h
endif
	sed -e 's|@PREFIX@|'$(call quote,$(PREFIX))'|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(strip $(all_libs))|' \
	  packaging/triad.pc.in > $(to)/lib/pkgconfig/triad.pc
	install -d $(to)/lib/cmake/Triad
	for f in TriadConfig TriadConfigVersion; do sed -e 's|@VERSION@|$(VERSION)|' -e 's|@MAJOR@|$(major)|' \
	  -e 's|@LIBS@|$(strip $(all_libs))|' packaging/$$f.cmake.in > $(to)/lib/cmake/Triad/$$f.cmake || exit 1; done
	install -d $(to)/share/man/man1 $(to)/share/man/man5 $(to)/share/bash-completion/completions
	$(BIN)/triad help --manual > $(to)/share/man/man1/triad.1
	$(BIN)/triad case --manual > $(to)/share/man/man5/triad-case.5
	$(BIN)/triad help --completion > $(to)/share/bash-completion/completions/triad
	tools/runs | while IFS= read -r f; do install -D -m 644 "$$f" $(to)/share/triad/"$$f" || exit 1; done
	install -m 755 tools/triad-plot $(to)/bin/triad-plot
	for f in $(plot_files); do install -D -m 644 tools/"$$f" $(to)/share/triad/"$$f" || exit 1; done
	install -d $(to)/share/triad/machines
	install -m 644 packaging/machines/*.toml $(to)/share/triad/machines
	install -d $(to)/share/triad/triad
	install -m 644 python/triad/*.py $(to)/share/triad/triad

uninstall:
	rm -f $(to)/share/man/man1/triad.1 $(to)/share/man/man5/triad-case.5 $(to)/share/bash-completion/completions/triad
	rm -f $(to)/bin/triad $(to)/bin/triad-plot $(to)/lib/libtriad.a $(to)/lib/libtriad.so $(to)/lib/libtriad.so.$(major) \
	  $(to)/lib/libtriad.so.$(VERSION) $(to)/include/triad.h $(to)/include/triad_drive.h $(to)/lib/pkgconfig/triad.pc
	rm -f $(to)/lib/cmake/Triad/TriadConfig.cmake $(to)/lib/cmake/Triad/TriadConfigVersion.cmake
	if [ -d $(to)/lib/cmake/Triad ]; then rmdir $(to)/lib/cmake/Triad; fi
	rm -f $(to)/lib/triad/hdf5/libtriadzfp.so
	if [ -d $(to)/lib/triad ]; then find $(to)/lib/triad -depth -type d -empty -delete; fi
	tools/runs | while IFS= read -r f; do rm -f $(to)/share/triad/"$$f"; done
	for f in $(plot_files); do rm -f $(to)/share/triad/"$$f"; done
	for f in packaging/machines/*.toml; do rm -f $(to)/share/triad/machines/"$$(basename "$$f")"; done
	for f in python/triad/*.py; do rm -f $(to)/share/triad/triad/"$$(basename "$$f")"; done
	if [ -d $(to)/share/triad ]; then find $(to)/share/triad -depth -type d -empty -delete; fi

dist:
	@mkdir -p $(BUILD)
	git archive --prefix=triad-$(VERSION)/ --output=$(BUILD)/triad-$(VERSION).tar.gz HEAD

release:
	$(Q)tools/release

# every warning is an error: a link that leads nowhere, a page that the map does not list
docs:
	@python=$$(tools/python sphinx myst_parser furo 2>/dev/null) || { \
	  echo 'make docs: Sphinx, MyST and Furo are not there: tools/deps --tests installs them' >&2; exit 69; }; \
	  "$$python" -m sphinx -q -E -W --keep-going -c docs -d build/docs/doctrees . build/docs/html && \
	  echo 'build/docs/html/index.html'

# for tests: what is put into the program, and the headers of a system that are blank there
print-texts:
	@echo "texts: $(texts)"
	@echo "blank: $(blank)"

print-config:
	@printf '%-9s %s\n' version $(call quote,$(VERSION)) commit "$$(tools/commit)" MPICC $(call quote,$(MPICC)) \
	  CXX $(call quote,$(CXX)) CFLAGS $(call quote,$(CFLAGS)) CXXFLAGS $(call quote,$(CXXFLAGS)) \
	  LIBS $(call quote,$(LIBS) $(MICROHTTPD_LIBS)) MPIRUN $(call quote,$(MPIRUN)) PREFIX $(call quote,$(PREFIX))

# commands of all sources for clangd and other tools; nothing is built
compile_commands.json: force
	$(Q)$(MAKE) --no-print-directory -Bn V=1 all unit | MPICC=$(call quote,$(MPICC)) tools/compile-commands > $@.new && mv $@.new $@

# for tests and make check-hip: the objects with kernels
print-gpu:
	@printf '%s\n' $(filter-out %/texts.o,$(gpu:$(BUILD)/single/%=$(BUILD)/raw/%))

# for tests: which sources are compiled once, and which in each precision
print-sources:
	@printf '%s\n' $(once:%='once %') $(cmd:%='once %') $(driven:%='once %') $(both:%='both %')

# sources as git lists them; comments are wrapped by hand
format:
	$(Q)git ls-files '*.c' '*.h' '*.cu' | xargs clang-format -i

help:
	@sed -n '2,/^[^#]/s/^# \{0,1\}//p' Makefile

clean:
	rm -rf build bin

ifneq ($(filter-out clean dist docs help print-config print-gpu print-sources print-texts probe probe-tests release uninstall,$(or $(MAKECMDGOALS),all)),)
-include $(shell find $(addprefix $(BUILD)/,once double raw tests fuzz) -name '*.d' 2>/dev/null)
endif
