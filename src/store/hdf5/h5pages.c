/* An HDF5 file driver that keeps a file in memory as pages; holes in the file need no memory. */
#include "store/hdf5/h5pages.h"
#include "store/hdf5/h5inside.h"

#include "store/disk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

enum { PAGE = 64 << 10 };

typedef struct page {
  haddr_t number; /* it holds bytes number * PAGE .. */
  char *bytes;
} page;

struct triad_h5_pages {
  page *list; /* by number */
  size_t count, room;
  haddr_t end;  /* of the file */
  int lost;     /* bytes that there was no memory for: the file is worth nothing */
  hid_t driver; /* held until the file is closed: HDF5 looks at it after it has given it up itself */
};

/* What HDF5 holds as an open file: its own part must come first. */
typedef struct paged_file {
  H5FD_t hdf5;
  triad_h5_pages *pages;
} paged_file;

int triad_h5_pages_create(triad_h5_pages **out)
{
  *out = calloc(1, sizeof **out);
  if (*out) (*out)->driver = H5I_INVALID_HID;
  return *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "pages of an HDF5 file");
}

void triad_h5_pages_destroy(triad_h5_pages **pages)
{
  if (!pages || !*pages) return;
  if ((*pages)->driver >= 0) (void)H5Idec_ref((*pages)->driver);
  for (size_t i = 0; i < (*pages)->count; i++) free((*pages)->list[i].bytes);
  free((*pages)->list);
  free(*pages);
  *pages = NULL;
}

/* Place of the first page whose number is not less. */
static size_t place_of(const triad_h5_pages *p, haddr_t number)
{
  size_t low = 0, high = p->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (p->list[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

static char *find_page(const triad_h5_pages *p, haddr_t number)
{
  size_t i = place_of(p, number);
  return i < p->count && p->list[i].number == number ? p->list[i].bytes : NULL;
}

static char *make_page(triad_h5_pages *p, haddr_t number)
{
  char *there = find_page(p, number);
  if (there) return there;
  if (p->count == p->room) {
    size_t room = p->room ? 2 * p->room : 16;
    page *list = realloc(p->list, room * sizeof *list);
    if (!list) return NULL;
    p->list = list;
    p->room = room;
  }
  char *bytes = calloc(1, PAGE);
  if (!bytes) return NULL;
  size_t i = place_of(p, number);
  memmove(p->list + i + 1, p->list + i, (p->count - i) * sizeof *p->list);
  p->list[i] = (page){number, bytes};
  p->count++;
  return bytes;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
  (void)name, (void)flags, (void)most;
  triad_h5_pages *const *pages = H5Pget_driver_info(access);
  paged_file *file = pages ? calloc(1, sizeof *file) : NULL;
  if (!file) return NULL;
  file->pages = *pages;
  return &file->hdf5;
}

static herr_t driver_close(H5FD_t *file)
{
  free(file);
  return 0;
}

/* Gather small pieces before they are written: fewer calls, and metadata that lie together. */
static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
  (void)file;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t driver_end(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  return ((const paged_file *)file)->pages->end;
}

static herr_t driver_set_end(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
  (void)type;
  ((paged_file *)file)->pages->end = end;
  return 0;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *out)
{
  (void)type, (void)transfer;
  for (char *to = out; size > 0;) {
    size_t inside = (size_t)(at % PAGE), n = PAGE - inside < size ? PAGE - inside : size;
    const char *bytes = find_page(((paged_file *)file)->pages, at / PAGE);
    if (bytes) memcpy(to, bytes + inside, n);
    else memset(to, 0, n);
    to += n;
    at += n;
    size -= n;
  }
  return 0;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *in)
{
  (void)type, (void)transfer;
  for (const char *from = in; size > 0;) {
    size_t inside = (size_t)(at % PAGE), n = PAGE - inside < size ? PAGE - inside : size;
    char *bytes = make_page(((paged_file *)file)->pages, at / PAGE);
    /* to the library all is well: it does not survive a file that it cannot close */
    if (bytes) memcpy(bytes + inside, from, n);
    else ((paged_file *)file)->pages->lost = 1;
    from += n;
    at += n;
    size -= n;
  }
  return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
  .version = H5FD_CLASS_VERSION,
  .value = 0x7472, /* one of those that the library leaves to its users */
#endif
  .name = "triad_pages",
  .maxaddr = (haddr_t)INT64_MAX,
  .fc_degree = H5F_CLOSE_WEAK,
  .fapl_size = sizeof(triad_h5_pages *),
  .open = driver_open,
  .close = driver_close,
  .query = driver_query,
  .get_eoa = driver_end,
  .set_eoa = driver_set_end,
  .get_eof = driver_end,
  .read = driver_read,
  .write = driver_write,
  .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t triad_h5_pages_access(triad_h5_pages *pages)
{
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), id = H5FDregister(&driver);
  int good = access >= 0 && id >= 0 && H5Pset_driver(access, id, &pages) >= 0 &&
             H5Pset_alignment(access, 1 << 16, 1 << 12) >= 0; /* large arrays begin at a page of memory */
  pages->driver = id;
  if (good) return access;
  if (access >= 0) (void)H5Pclose(access);
  return H5I_INVALID_HID;
}

static int store(const triad_h5_pages *p, const char *path, int fd)
{
  TRIAD_TRY(triad_disk_reserve(fd, path, (int64_t)p->end));
  for (size_t i = 0; i < p->count; i++) {
    haddr_t at = p->list[i].number * PAGE;
    if (at >= p->end) break;
    TRIAD_TRY(
      triad_disk_write(fd, path, p->list[i].bytes, (int64_t)(p->end - at < PAGE ? p->end - at : PAGE), (int64_t)at));
  }
  TRIAD_TRY(triad_disk_resize(fd, path, (int64_t)p->end));
  return triad_disk_sync(fd, path);
}

int triad_h5_pages_store(const triad_h5_pages *pages, const char *path)
{
  int fd;
  if (pages->lost) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: the pages of the HDF5 file", path);
  TRIAD_TRY(triad_disk_create(path, &fd));
  int st = store(pages, path, fd), closed = triad_disk_close(&fd, path);
  if (st == TRIAD_OK) st = closed;
  if (st != TRIAD_OK) (void)unlink(path);
  return st;
}
