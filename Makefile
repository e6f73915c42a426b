# Triad's build. Settings live in Makefile.inc; objects go to build/, the program to bin/.
#   make               the program and the library        make check      every test
#   make install       PREFIX= DESTDIR=                   make clean
#   make V=1           show commands                      make SANITIZE=1 with address and UB sanitizers
#   make WERROR=1      warnings are errors (as in CI)     make print-config
include Makefile.inc
-include Makefile.local

VERSION := $(shell cat VERSION)
BUILD   := build
ifdef SANITIZE
BUILD   := build/sanitize
SANFLAGS := -fsanitize=address,undefined -fno-omit-frame-pointer -g
endif
BIN     := $(if $(SANITIZE),$(BUILD)/bin,bin)

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))

INCLUDES := -Isrc -I.
CFLAGS   := $(CSTD) $(OPT) -ffp-contract=fast -fopenmp -fvisibility=hidden -fPIC $(WARN) $(if $(WERROR),-Werror) \
            $(SANFLAGS) $(INCLUDES) -D_GNU_SOURCE -MMD -MP $(FFTW_CFLAGS) $(HDF5_CFLAGS) $(HWLOC_CFLAGS) $(XXHASH_CFLAGS)
CXXFLAGS := -std=c++17 -O2 -fPIC $(WARN) $(if $(WERROR),-Werror) $(SANFLAGS) $(INCLUDES) -MMD -MP $(TOML_CFLAGS)
LIBS     := $(FFTW_LIBS) $(HDF5_LIBS) $(HWLOC_LIBS) $(XXHASH_LIBS) -lstdc++ -lm

# Sources that know no precision are compiled once; the numerical ones twice (src/base/precision.h).
once := $(sort $(wildcard src/base/*.c src/parallel/*.c src/grid/*.c src/run/store/*.c fft/public/*.c))
both := $(sort $(wildcard transpose/*.c fft/*.c solvers/*.c solvers/*/*.c src/run/*.c))
cmd  := $(sort $(wildcard src/command/*.c))
cxx  := $(sort $(wildcard src/base/*.cpp))

objects := $(once:%.c=$(BUILD)/once/%.o) $(both:%.c=$(BUILD)/double/%.o) $(both:%.c=$(BUILD)/single/%.o) \
           $(cxx:%.cpp=$(BUILD)/once/%.o)
command := $(cmd:%.c=$(BUILD)/once/%.o)

.PHONY: all check install clean print-config
all: $(BIN)/triad $(BUILD)/libtriad.a

$(BIN)/triad: $(command) $(BUILD)/libtriad.a | $(BIN)
	$(call say,LINK,$@)
	$(Q)$(MPICC) $(CFLAGS) -o $@ $(command) $(BUILD)/libtriad.a $(LIBS)

$(BUILD)/libtriad.a: $(objects)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BIN):
	@mkdir -p $@

$(BUILD)/once/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) -c $< -o $@
$(BUILD)/once/%.o: %.cpp $(BUILD)/flags
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CXXFLAGS) -c $< -o $@
$(BUILD)/double/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) -c $< -o $@
$(BUILD)/single/%.o: %.c $(BUILD)/flags
	$(call say,CC,"$< (single)")
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CFLAGS) -DTRIAD_SINGLE -c $< -o $@

# Objects are made anew when the compilers or flags change.
flags := $(MPICC) $(CXX) $(CFLAGS) $(CXXFLAGS)
$(BUILD)/flags: force
	@mkdir -p $(@D)
	@printf '%s\n' '$(flags)' | cmp -s - $@ || printf '%s\n' '$(flags)' > $@
.PHONY: force

print-config:
	@printf '%s\n' 'version   $(VERSION)' 'MPICC     $(MPICC)' 'CXX       $(CXX)' 'CFLAGS    $(CFLAGS)' \
	  'CXXFLAGS  $(CXXFLAGS)' 'LIBS      $(LIBS)' 'PREFIX    $(PREFIX)'

clean:
	rm -rf build bin

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
