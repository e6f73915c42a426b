/* Include src/command/watch/watch.html in the program as a string. */
#include "command/watch/watch.h"

/* The page is the file src/command/watch/watch.html, included in the program unchanged. */
__asm__(".pushsection .rodata\n"
        ".global triad_watch_page\n"
        ".type triad_watch_page, %object\n"
        "triad_watch_page:\n"
        ".incbin \"src/command/watch/watch.html\"\n"
        ".byte 0\n"
        ".size triad_watch_page, .-triad_watch_page\n"
        ".popsection\n");
