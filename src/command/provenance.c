#include "command/rundir.h"

#include "base/text.h"
#include "base/version.h"

#include <fftw3.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Environment that changes how a run behaves; nothing else of it is anybody's business. */
static const char *const telling[] = {
    "OMP_",   "OMPI_MCA_", "SLURM_JOB_ID", "SLURM_JOB_NODELIST", "PBS_JOBID", "CUDA_VISIBLE_DEVICES", "NCCL_", "UCX_",
    "TRIAD_", "GOMP_",     "HDF5_"};

static void put_text(FILE *f, const char *text)
{
  size_t length = strlen(text);
  char *safe = malloc(6 * length + 1);
  if (safe) (void)triad_escape(safe, 6 * length + 1, text, length, TRIAD_ESCAPE_JSON);
  (void)fprintf(f, "\"%s\"", safe ? safe : "");
  free(safe);
}

static void put_item(FILE *f, const char *name, const char *text)
{
  (void)fprintf(f, "  \"%s\": ", name);
  put_text(f, text);
  (void)fprintf(f, ",\n");
}

static void put_environment(FILE *f)
{
  extern char **environ;
  const char *comma = "";
  (void)fprintf(f, "  \"environment\": {");
  for (char **e = environ; *e; e++) {
    const char *equals = strchr(*e, '=');
    int tells = 0;
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
      tells |= strncmp(*e, telling[i], strlen(telling[i])) == 0;
    /* the launcher's own wiring: keys and addresses of this one job */
    if (!tells || !equals || strncmp(*e, "OMPI_MCA_orte_", 14) == 0 || strncmp(*e, "OMPI_MCA_ess_", 13) == 0) continue;
    char name[256];
    (void)snprintf(name, sizeof name, "%.*s", (int)(equals - *e), *e);
    (void)fprintf(f, "%s\n    ", comma);
    put_text(f, name);
    (void)fprintf(f, ": ");
    put_text(f, equals + 1);
    comma = ",";
  }
  (void)fprintf(f, "\n  },\n");
}

static void put_libraries(FILE *f)
{
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  unsigned major = 0, minor = 0, release = 0;
  (void)MPI_Get_library_version(mpi, &length);
  (void)H5get_libversion(&major, &minor, &release);
  (void)fprintf(f, "  \"libraries\": {\"mpi\": ");
  put_text(f, mpi);
  (void)fprintf(f, ", \"fftw\": ");
  put_text(f, fftw_version);
  (void)fprintf(f, ", \"hdf5\": \"%u.%u.%u\"},\n", major, minor, release);
}

char *triad_provenance(const triad_session *s, int argc, char **argv)
{
  char *text = NULL, when[32] = "";
  size_t size = 0;
  int n_places = 0;
  time_t now = time(NULL);
  struct tm utc;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  if (gmtime_r(&now, &utc)) (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
  (void)fprintf(f, "{\n");
  put_item(f, "started", when);
  put_item(f, "version", triad_version());
  put_item(f, "commit", triad_commit());
  put_item(f, "build_flags", triad_build_flags());
  put_libraries(f);
  (void)fprintf(f, "  \"command\": [\"triad\", \"run\"");
  for (int i = 0; i < argc; i++) {
    (void)fprintf(f, ", ");
    put_text(f, argv[i]);
  }
  (void)fprintf(f, "],\n");
  put_environment(f);
  const triad_place *places = triad_binding_places(s->binding, &n_places);
  char *binding = triad_cores_json(places, n_places);
  (void)fprintf(f, "  \"binding\": %s\n}\n", binding ? binding : "null");
  free(binding);
  if (fclose(f) != 0) {
    free(text);
    return NULL;
  }
  return text;
}
