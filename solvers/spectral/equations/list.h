/* One line per equation set. */
#define TRIAD_EQUATIONS(X) \
  X(hd) \
  X(boussinesq) \
  X(mhd) \
  X(gpe) \
  X(text)
