/* Keys of bodies and sponges, as rows for the table of keys of the spectral solvers (case/rows.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_KEYS_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_KEYS_H

#define TRIAD_RELAX_TARGET(table, name, whose, what, helps) \
  { \
    table "." name, MANY, .solvers = whose, TEXT, .formula = triad_relax_space_time, .preset = "", .unit = what, \
                          .help = helps \
  }

#define TRIAD_BODY_KEYS(fluids) \
  {"bodies.shape", \
   MANY, \
   .solvers = fluids, \
   WORD, \
   WORDS(W("sphere"), W("cylinder"), W("box"), {"distance", .about = "where the formula bodies.distance is negative"}, \
         {"stl", .about = "a closed surface of triangles from the file bodies.stl"}), \
   .example = "sphere", \
   .help = "Shape of a body in the flow. The flow penetrates it by a length far below its size " \
           "(docs/methods/bodies-and-sponges.md)."}, \
    {"bodies.center", \
     MANY, \
     .solvers = fluids, \
     REALS(3), \
     ANY, \
     .preset = "0 0 0", \
     .unit = "length", \
     .help = "Centre of a sphere, cylinder or box; position of the origin of bodies.stl and bodies.distance."}, \
    {"bodies.radius", \
     MANY, \
     .solvers = fluids, \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "length", \
     .used = "bodies.shape=sphere|cylinder", \
     .help = "Radius of the sphere or cylinder."}, \
    {"bodies.axis", \
     MANY, \
     .solvers = fluids, \
     WORD, \
     WORDS(W("x"), W("y"), W("z")), \
     .preset = "z", \
     .used = "bodies.shape=cylinder", \
     .help = "Axis of the cylinder."}, \
    {"bodies.length", \
     MANY, \
     .solvers = fluids, \
     REAL, \
     AT_LEAST(0), \
     .preset = "0", \
     .unit = "length", \
     .used = "bodies.shape=cylinder", \
     .help = "Length of the cylinder along its axis. With 0, it has no ends."}, \
    {"bodies.size", \
     MANY, \
     .solvers = fluids, \
     REALS(3), \
     AT_LEAST(0), \
     .preset = "0 0 0", \
     .unit = "length", \
     .used = "bodies.shape=box", \
     .help = \
       "Sides of the box. A side at least as long as grid.length has no ends: the body is then a bar or a slab."}, \
    {"bodies.distance", \
     MANY, \
     .solvers = fluids, \
     TEXT, \
     .formula = triad_relax_space_time, \
     .preset = "", \
     .unit = "length", \
     .used = "bodies.shape=distance", \
     .help = "Formula of x, y, z, t that is positive in the fluid, 0 on the surface and negative in the body. It is " \
             "divided by the size of its gradient, so that it need not be a distance."}, \
    {"bodies.stl", \
     MANY, \
     .solvers = fluids, \
     TEXT, \
     .preset = "", \
     .used = "bodies.shape=stl", \
     .help = "STL file, ASCII or binary, of a closed surface. Its numbers are multiplied by bodies.scale."}, \
    {"bodies.scale", MANY,          .solvers = fluids,          REAL, \
     ABOVE(0),       .preset = "1", .used = "bodies.shape=stl", .help = "Length of the case per unit of the file."}, \
    {"bodies.path", \
     MANY, \
     .solvers = fluids, \
     TEXT_LIST(3), \
     .formula = triad_relax_time, \
     .preset = "", \
     .unit = "length", \
     .help = "Displacement of the body along x, y, z as formulas of t, such as [\"0.1*sin(2*t)\"]. Its velocity is " \
             "their derivative."}, \
    TRIAD_RELAX_TARGET("bodies", "u", fluids, "length/time", \
                       "Velocity of the surface along x, in addition to that of bodies.path: for a body that turns."), \
    TRIAD_RELAX_TARGET("bodies", "v", fluids, "length/time", "Velocity of the surface along y, likewise."), \
    TRIAD_RELAX_TARGET("bodies", "w", fluids, "length/time", "Velocity of the surface along z, likewise."), \
    TRIAD_RELAX_TARGET("bodies", "theta", "boussinesq", "length/time", \
                       "Value at which the body holds theta. Without it, theta passes through the body."), \
    {"bodies.scalars", \
     MANY, \
     .solvers = fluids, \
     TEXT_LIST(1000), \
     .formula = triad_relax_space_time, \
     .preset = "", \
     .unit = "scalar", \
     .help = "Values at which the body holds the passive scalars, one formula per scalar. Scalars without a formula " \
             "pass through the body."}, \
  { \
    "bodies.permeability", MANY, \
      .solvers = fluids, REAL, AT_LEAST(0), .preset = "0", .unit = "time", \
      .help = "Time eta in which the fluid in the body takes the velocity of the body. The flow " \
              "penetrates by (viscosity eta)^(1/2). With 0, this is half a grid spacing." \
  }

/* What the coefficients of bodies refer to; at the end of the rows, as a table of its own. */
#define TRIAD_BODY_REFERENCE_KEYS(fluids) \
  {"reference.area", \
   .solvers = fluids, \
   REAL, \
   AT_LEAST(0), \
   .preset = "0", \
   .unit = "length^2", \
   .help = "Reference area of the force coefficients of [[bodies]]. With 0, there are no coefficients."}, \
    {"reference.length", \
     .solvers = fluids, \
     REAL, \
     ABOVE(0), \
     .preset = "1", \
     .unit = "length", \
     .used = "reference.area", \
     .help = "Reference length of the Strouhal number."}, \
    {"reference.velocity", \
     .solvers = fluids, \
     REALS(3), \
     ANY, \
     .preset = "0 0 0", \
     .unit = "length/time", \
     .used = "reference.area", \
     .help = "Velocity of the stream that force coefficients of [[bodies]] refer to. With 0 0 0, " \
             "equations.mean_velocity."}, \
  { \
    "reference.up", .solvers = fluids, WORD, WORDS(W("y"), W("z")), .preset = "y", .used = "reference.area", \
                    .help = "Direction of lift in a stream along x." \
  }

#define TRIAD_SPONGE_KEYS(fluids) \
  {"sponges.rate", \
   MANY, \
   .solvers = fluids, \
   TEXT, \
   .formula = triad_relax_space_time, \
   .example = "5", \
   .unit = "1/time", \
   .help = "Rate at which the sponge relaxes the fields to their targets, a formula of x, y, z, t that is nowhere " \
           "negative."}, \
    {"sponges.layer", \
     MANY, \
     .solvers = fluids, \
     WORD, \
     WORDS(W("none"), W("x"), W("y"), W("z")), \
     .preset = "none", \
     .help = "Axis across a layer outside of which the rate is 0. With none, sponges.rate alone says where the " \
             "sponge is."}, \
    {"sponges.range", \
     MANY, \
     .solvers = fluids, \
     REALS(2), \
     ANY, \
     .rising = 1, \
     .preset = "0 0", \
     .unit = "length", \
     .used = "sponges.layer!=none", \
     .help = "Beginning and end of the layer along its axis. It may reach across the end of the box."}, \
    {"sponges.rise", \
     MANY, \
     .solvers = fluids, \
     REAL, \
     BETWEEN(0, 1), \
     .preset = "0.4", \
     .used = "sponges.layer!=none", \
     .help = "Fraction of the layer over which the rate rises smoothly from 0."}, \
    {"sponges.fall", \
     MANY, \
     .solvers = fluids, \
     REAL, \
     BETWEEN(0, 1), \
     .preset = "0.2", \
     .used = "sponges.layer!=none", \
     .help = "Fraction of the layer over which the rate falls to 0 again."}, \
    {"sponges.target", \
     MANY, \
     .solvers = fluids, \
     WORD, \
     WORDS({"formula", .about = "the formulas of this table: constants, profiles or any others"}, \
           {"mean", .about = "the mean of each field in the box"}, {"file", .about = "the fields of sponges.file"}), \
     .preset = "formula", \
     .help = "State to which the sponge relaxes the fields."}, \
    {"sponges.file", \
     MANY, \
     .solvers = fluids, \
     TEXT, \
     .preset = "", \
     .used = "sponges.target=file", \
     .help = "HDF5 file with the target, datasets (z, y, x) named like the fields, as for initial.file."}, \
    TRIAD_RELAX_TARGET( \
      "sponges", "u", fluids, "length/time", \
      "Target of the velocity along x. Components of a vector without a formula have the target 0 if " \
      "another has one."), \
    TRIAD_RELAX_TARGET("sponges", "v", fluids, "length/time", "Target of the velocity along y."), \
    TRIAD_RELAX_TARGET("sponges", "w", fluids, "length/time", "Target of the velocity along z."), \
    TRIAD_RELAX_TARGET("sponges", "theta", "boussinesq", "length/time", "Target of theta."), \
    TRIAD_RELAX_TARGET("sponges", "bx", "mhd", "length/time", \
                       "Target of the magnetic field along x, without equations.mean_field."), \
    TRIAD_RELAX_TARGET("sponges", "by", "mhd", "length/time", \
                       "Target of the magnetic field along y, without equations.mean_field."), \
    TRIAD_RELAX_TARGET("sponges", "bz", "mhd", "length/time", \
                       "Target of the magnetic field along z, without equations.mean_field."), \
  { \
    "sponges.scalars", MANY, \
      .solvers = fluids, TEXT_LIST(1000), .formula = triad_relax_space_time, .preset = "", .unit = "scalar", \
      .help = "Targets of the passive scalars, one formula per scalar. Scalars without a formula are " \
              "not relaxed." \
  }

#endif
