/* Calls libfliptransition as C programs do; LibraryTests compiles it and says what has to come of it. */
#include <dirent.h>
#include <fliptransition.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

enum { WIDTH = 64, HEIGHT = 48, BYTES = WIDTH * HEIGHT * 4 };

static void fill(unsigned char *bytes, unsigned seed)
{
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
}

static fliptransition_picture packed(unsigned char *bytes)
{
    return (fliptransition_picture){{bytes}, {WIDTH * 4}};
}

/* Whether the last failure's sentence holds `word`. */
static int says(fliptransition *flip, const char *word)
{
    char text[1024];
    size_t size = fliptransition_error(flip, text, sizeof text);
    return size == strlen(text) + 1 && strstr(text, word) != NULL;
}

/* Opens, draws and closes `count` times; returns how many bytes more the heap holds than after the first tenth of them. */
static long cycles(int count)
{
    size_t settled = 0;
    static unsigned char a[BYTES], b[BYTES], c[BYTES];
    fill(a, 1);
    fill(b, 2);
    for (int i = 0; i < count; i++) {
        if (i == count / 10)
            settled = mallinfo2().uordblks;
        fliptransition_picture from = packed(a), to = packed(b), into = packed(c);
        fliptransition *flip = fliptransition_open();
        CHECK(!fliptransition_set(flip, "style", fliptransition_style_name(i % 6)));
        CHECK(!fliptransition_set(flip, "threads", i % 20 ? "1" : "2"));
        CHECK(!fliptransition_set_format(flip, i % 3 ? "rgba" : "bgr0", WIDTH, HEIGHT));
        CHECK(!fliptransition_render(flip, 0.4, &from, &to, &into));
        CHECK(fliptransition_set(flip, "style", "nonsense"));
        CHECK(says(flip, "nonsense"));
        fliptransition_close(flip);
    }
    return (long)mallinfo2().uordblks - (long)settled;
}

static void versions(void)
{
    char header[32];
    snprintf(
        header, sizeof header, "%d.%d.%d", FLIPTRANSITION_VERSION_MAJOR, FLIPTRANSITION_VERSION_MINOR,
        FLIPTRANSITION_VERSION_PATCH);
    CHECK(!strcmp(header, fliptransition_version()));
    puts(header);
    for (int i = 0; fliptransition_style_name(i); i++)
        puts(fliptransition_style_name(i));
    CHECK(!fliptransition_style_name(-1) && !fliptransition_style_name(1000));
}

static void errors(void)
{
    static unsigned char a[BYTES], b[BYTES], c[BYTES], before[BYTES];
    fliptransition_picture from = packed(a), to = packed(b), into = packed(c), wrong;
    fliptransition *flip = fliptransition_open();
    char text[8] = "unused";
    double progress = -1;
    fill(c, 3);
    memcpy(before, c, BYTES);

    CHECK(fliptransition_error(flip, NULL, 0) == 0);
    CHECK(fliptransition_render(flip, 0.5, &from, &to, &into) == FLIPTRANSITION_INVALID_ARGUMENT && says(flip, "format"));

    CHECK(fliptransition_set(flip, "colour", "red") == FLIPTRANSITION_INVALID_OPTION && says(flip, "shadow-strength"));
    CHECK(fliptransition_set(flip, "creases", "17") == FLIPTRANSITION_INVALID_OPTION && says(flip, "1...16"));
    CHECK(fliptransition_set(flip, "threads", "0") == FLIPTRANSITION_INVALID_OPTION && says(flip, "1...256"));
    CHECK(fliptransition_set(flip, "range", "tv") == FLIPTRANSITION_INVALID_OPTION && says(flip, "limited|full"));
    CHECK(fliptransition_set(flip, NULL, "1") == FLIPTRANSITION_INVALID_ARGUMENT);
    CHECK(fliptransition_set(NULL, "style", "flip") == FLIPTRANSITION_INVALID_ARGUMENT);

    const char *refused[] = {"yuyv422", "p010le", "pal8", "yuv420p10be", "rgb565le", "gbrpf32le", "", "yuv420p8"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(fliptransition_set_format(flip, refused[i], 8, 8) == FLIPTRANSITION_UNSUPPORTED_FORMAT);
        CHECK(says(flip, refused[i]) && !fliptransition_supports_format(refused[i]));
    }
    CHECK(fliptransition_supports_format("nv12") && !fliptransition_supports_format(NULL));
    CHECK(fliptransition_set_format(flip, "rgba", 0, 8) == FLIPTRANSITION_UNSUPPORTED_FORMAT && says(flip, "0x8"));
    CHECK(fliptransition_set_format(flip, "rgba", 8, 16385) == FLIPTRANSITION_UNSUPPORTED_FORMAT);
    CHECK(!fliptransition_set_format(flip, "rgba", WIDTH, HEIGHT));

    /* Options of other styles wait for their style. */
    CHECK(!fliptransition_set(flip, "creases", "3"));
    CHECK(fliptransition_render(flip, 0.5, &from, &to, &into) == FLIPTRANSITION_INVALID_OPTION && says(flip, "creases"));
    CHECK(fliptransition_ease(flip, 0.5, &progress) == FLIPTRANSITION_INVALID_OPTION && progress == -1);
    CHECK(!fliptransition_set(flip, "style", "fold"));
    CHECK(!fliptransition_ease(flip, 0.5, &progress) && progress > 0.5 && progress < 1);
    CHECK(!fliptransition_set(flip, "creases", NULL) && !fliptransition_set(flip, "style", NULL));

    /* The first of three frames is at a quarter of the time. */
    double quarter;
    CHECK(!fliptransition_ease(flip, 0.25, &quarter) && !fliptransition_progress(flip, 0, 3, &progress));
    CHECK(progress == quarter);
    progress = -1;
    CHECK(fliptransition_progress(flip, 3, 3, &progress) == FLIPTRANSITION_INVALID_ARGUMENT && says(flip, "3 of 3"));
    CHECK(fliptransition_progress(flip, -1, 3, &progress) == FLIPTRANSITION_INVALID_ARGUMENT);
    CHECK(fliptransition_progress(flip, 0, 0, &progress) == FLIPTRANSITION_INVALID_ARGUMENT && progress == -1);
    CHECK(fliptransition_progress(flip, 0, 3, NULL) == FLIPTRANSITION_INVALID_ARGUMENT);

    /* Chroma of odd sizes is rounded up. */
    fliptransition_plane planes[4];
    CHECK(fliptransition_planes("yuv420p10le", 7, 5, planes) == 3 && planes[0].rows == 5 && planes[0].columns == 7);
    CHECK(planes[2].rows == 3 && planes[2].columns == 4 && planes[2].components == 1 && planes[2].sample_bytes == 2);
    CHECK(fliptransition_planes("nv12", 7, 5, planes) == 2 && planes[1].columns == 4 && planes[1].components == 2);
    CHECK(fliptransition_planes("0rgb", 7, 5, planes) == 1 && planes[0].components == 4 && planes[0].sample_bytes == 1);
    CHECK(fliptransition_planes("rgb24", 7, 5, NULL) == 1 && !fliptransition_planes(NULL, 7, 5, planes));
    CHECK(!fliptransition_planes("p010le", 7, 5, planes) && !fliptransition_planes("rgb24", 7, 16385, planes));

    double outside[] = {-0.01, 1.01, 0.0 / 0.0 * 0.0};
    for (int i = 0; i < 3; i++) {
        CHECK(fliptransition_render(flip, outside[i], &from, &to, &into) == FLIPTRANSITION_INVALID_ARGUMENT);
        CHECK(says(flip, "0...1"));
    }
    CHECK(fliptransition_render(flip, 0.5, &from, NULL, &into) == FLIPTRANSITION_INVALID_ARGUMENT);
    wrong = to;
    wrong.planes[0] = NULL;
    CHECK(fliptransition_render(flip, 0.5, &from, &wrong, &into) == FLIPTRANSITION_INVALID_ARGUMENT && says(flip, "'to'"));
    wrong = to;
    wrong.strides[0] = WIDTH * 4 - 1;
    CHECK(fliptransition_render(flip, 0.5, &from, &wrong, &into) == FLIPTRANSITION_INVALID_ARGUMENT && says(flip, "stride"));
    wrong = from;
    wrong.planes[0] = c + BYTES - 1;
    CHECK(fliptransition_render(flip, 0.5, &wrong, &to, &into) == FLIPTRANSITION_INVALID_ARGUMENT && says(flip, "share"));
    CHECK(!fliptransition_set_format(flip, "gray16le", WIDTH, HEIGHT));
    wrong = from;
    wrong.planes[0] = a + 1;
    CHECK(fliptransition_render(flip, 0.5, &wrong, &to, &into) == FLIPTRANSITION_INVALID_ARGUMENT && says(flip, "odd"));

    /* Nothing of this has touched the picture, and a sentence is cut off where there is no room for it. */
    CHECK(!memcmp(before, c, BYTES));
    size_t size = fliptransition_error(flip, text, sizeof text);
    CHECK(size > sizeof text && strlen(text) == sizeof text - 1);
    CHECK(fliptransition_error(NULL, NULL, 0) > 1);
    fliptransition_close(flip);
    fliptransition_close(NULL);
}

struct crowd {
    fliptransition *shared;
    unsigned char *a, *b, *expected;
    int number;
};

/* Draws with the handle that all share and with one of its own, and is told of its own errors. */
static void *draw(void *argument)
{
    struct crowd *crowd = argument;
    unsigned char *shared = malloc(BYTES), *own = malloc(BYTES);
    fliptransition_picture from = packed(crowd->a), to = packed(crowd->b);
    fliptransition_picture into_shared = packed(shared), into_own = packed(own);
    fliptransition *flip = fliptransition_open();
    CHECK(!fliptransition_set_format(flip, "rgba", WIDTH, HEIGHT));
    CHECK(!fliptransition_set(flip, "threads", crowd->number % 2 ? "2" : "1"));
    for (int i = 0; i < 50; i++) {
        CHECK(!fliptransition_render(crowd->shared, 0.4, &from, &to, &into_shared));
        CHECK(!fliptransition_render(flip, 0.4, &from, &to, &into_own));
        CHECK(!memcmp(shared, crowd->expected, BYTES) && !memcmp(own, crowd->expected, BYTES));
        CHECK(fliptransition_set(crowd->shared, "spine", "2") && says(crowd->shared, "spine"));
        CHECK(fliptransition_error(flip, NULL, 0) == 0);
    }
    fliptransition_close(flip);
    free(shared);
    free(own);
    return NULL;
}

static void threads(void)
{
    enum { COUNT = 8 };
    static unsigned char a[BYTES], b[BYTES], expected[BYTES];
    pthread_t workers[COUNT];
    struct crowd crowds[COUNT];
    fill(a, 1);
    fill(b, 2);
    fliptransition_picture from = packed(a), to = packed(b), into = packed(expected);
    fliptransition *flip = fliptransition_open();
    CHECK(!fliptransition_set_format(flip, "rgba", WIDTH, HEIGHT));
    CHECK(!fliptransition_render(flip, 0.4, &from, &to, &into));
    for (int i = 0; i < COUNT; i++) {
        crowds[i] = (struct crowd){flip, a, b, expected, i};
        CHECK(!pthread_create(&workers[i], NULL, draw, &crowds[i]));
    }
    for (int i = 0; i < COUNT; i++)
        CHECK(!pthread_join(workers[i], NULL));
    fliptransition_close(flip);
}

/* Halves of one buffer, fields of one frame, and planes that overlap. */
static void neighbors(void)
{
    enum { ROW = WIDTH * 4 };
    static unsigned char a[BYTES], b[BYTES], expected[BYTES], atlas[2 * BYTES];
    fill(a, 1);
    fill(b, 2);
    fliptransition_picture from = packed(a), to = packed(b), into = packed(expected);
    fliptransition *flip = fliptransition_open();
    CHECK(!fliptransition_set_format(flip, "rgba", WIDTH, HEIGHT));
    CHECK(!fliptransition_render(flip, 0.4, &from, &to, &into));
    /* Left and right half of a buffer twice as wide, which is at the same time its even and its odd rows. */
    for (int turn = 0; turn < 3; turn++) {
        fliptransition_picture left = {{atlas}, {2 * ROW}}, right = {{atlas + ROW}, {2 * ROW}};
        if (turn == 1)
            right = (fliptransition_picture){{atlas + 2 * BYTES - ROW}, {-2 * ROW}};
        if (turn == 2) {
            fliptransition_picture other = left;
            left = right;
            right = other;
        }
        for (int row = 0; row < HEIGHT; row++)
            memcpy((unsigned char *)left.planes[0] + row * left.strides[0], a + row * ROW, ROW);
        CHECK(!fliptransition_render(flip, 0.4, &left, &to, &right));
        for (int row = 0; row < HEIGHT; row++) {
            CHECK(!memcmp((unsigned char *)right.planes[0] + row * right.strides[0], expected + row * ROW, ROW));
            CHECK(!memcmp((unsigned char *)left.planes[0] + row * left.strides[0], a + row * ROW, ROW));
        }
        /* One byte further and they meet. */
        fliptransition_picture wrong = right;
        wrong.planes[0] = (unsigned char *)right.planes[0] + (turn == 2 ? 1 : -1);
        CHECK(fliptransition_render(flip, 0.4, &left, &to, &wrong) == FLIPTRANSITION_INVALID_ARGUMENT && says(flip, "share"));
    }
    /* Planes of one picture: those that are read may be one another's, those that are written may not. */
    CHECK(!fliptransition_set_format(flip, "yuv444p", WIDTH, HEIGHT));
    fliptransition_picture gray = {{a, b, b}, {WIDTH, WIDTH, WIDTH}};
    fliptransition_picture planes = {{atlas, atlas + WIDTH * HEIGHT, atlas + BYTES}, {WIDTH, WIDTH, WIDTH}};
    CHECK(!fliptransition_render(flip, 0.4, &gray, &gray, &planes));
    planes.planes[1] = atlas + WIDTH * HEIGHT - 1;
    CHECK(fliptransition_render(flip, 0.4, &gray, &gray, &planes) == FLIPTRANSITION_INVALID_ARGUMENT);
    CHECK(says(flip, "planes 0 and 1 of 'into'"));
    fliptransition_close(flip);
}

/* Threads of this process. */
static int tasks(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    CHECK(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* More threads in all than the 255 of a pool, in handles that are open at once; none is left when they are closed. */
static void crews(void)
{
    enum { COUNT = 300 };
    static unsigned char a[BYTES], b[BYTES], c[BYTES], expected[BYTES];
    static fliptransition *flips[COUNT];
    fill(a, 1);
    fill(b, 2);
    fliptransition_picture from = packed(a), to = packed(b), into = packed(c), alone = packed(expected);
    for (int i = 0; i < COUNT; i++) {
        flips[i] = fliptransition_open();
        CHECK(!fliptransition_set(flips[i], "threads", i == 0 ? "1" : i == 1 ? "256" : "2"));
        CHECK(!fliptransition_set_format(flips[i], "rgba", WIDTH, HEIGHT));
        CHECK(!fliptransition_render(flips[i], 0.4, &from, &to, i == 0 ? &alone : &into));
        CHECK(i == 0 || !memcmp(c, expected, BYTES));
    }
    for (int i = 1; i < COUNT; i++) {
        memset(c, 0, BYTES);
        CHECK(!fliptransition_render(flips[i], 0.4, &from, &to, &into));
        CHECK(!memcmp(c, expected, BYTES));
        fliptransition_close(flips[i]);
    }
    fliptransition_close(flips[0]);
    /* They end by themselves; whoever called this program loses patience if they don't. */
    while (tasks() > 1)
        usleep(1000);
}

/*
 * frame FORMAT WIDTH HEIGHT PROGRESS FROM TO INTO up|down PLANES [OPTION=VALUE]...: raw pictures as ffmpeg writes them, whose
 * planes have the rows and bytes a row given as ROWSxBYTES,...; the library sees them with rows in the order given and padded.
 */
static fliptransition_picture lend(int isUp, const char *planes, unsigned char **memory)
{
    fliptransition_picture picture = {{NULL}, {0}};
    for (int i = 0; planes && i < 4; i++) {
        int rows, bytes, stride;
        CHECK(sscanf(planes, "%dx%d", &rows, &bytes) == 2);
        stride = bytes + 6;
        memory[i] = malloc((size_t)(rows * stride));
        memset(memory[i], 0xA5, (size_t)(rows * stride));
        picture.planes[i] = isUp ? memory[i] + (rows - 1) * stride : memory[i];
        picture.strides[i] = isUp ? -stride : stride;
        planes = strchr(planes, ',');
        planes = planes ? planes + 1 : NULL;
    }
    return picture;
}

static void transfer(const char *path, int writes, const char *planes, fliptransition_picture *picture)
{
    FILE *file = fopen(path, writes ? "wb" : "rb");
    CHECK(file);
    for (int i = 0; planes; i++) {
        int rows, bytes;
        CHECK(sscanf(planes, "%dx%d", &rows, &bytes) == 2);
        for (int row = 0; row < rows; row++) {
            unsigned char *line = (unsigned char *)picture->planes[i] + row * picture->strides[i];
            size_t count = writes ? fwrite(line, 1, (size_t)bytes, file) : fread(line, 1, (size_t)bytes, file);
            CHECK(count == (size_t)bytes);
            for (int pad = 0; pad < 6; pad++)
                CHECK(line[bytes + pad] == 0xA5);
        }
        planes = strchr(planes, ',');
        planes = planes ? planes + 1 : NULL;
    }
    CHECK(!fclose(file));
}

static void frame(int count, char **words)
{
    unsigned char *memory[12] = {NULL};
    CHECK(count >= 9);
    int width = atoi(words[1]), height = atoi(words[2]), isUp = !strcmp(words[7], "up");
    fliptransition_picture from = lend(isUp, words[8], memory);
    fliptransition_picture to = lend(0, words[8], memory + 4);
    fliptransition_picture into = lend(isUp, words[8], memory + 8);
    fliptransition *flip = fliptransition_open();
    for (int i = 9; i < count; i++) {
        char *value = strchr(words[i], '=');
        *value++ = 0;
        CHECK(!fliptransition_set(flip, words[i], value));
    }
    CHECK(fliptransition_supports_format(words[0]));
    CHECK(!fliptransition_set_format(flip, words[0], width, height));
    transfer(words[4], 0, words[8], &from);
    transfer(words[5], 0, words[8], &to);
    CHECK(!fliptransition_render(flip, atof(words[3]), &from, &to, &into));
    transfer(words[6], 1, words[8], &into);
    fliptransition_close(flip);
    for (int i = 0; i < 12; i++)
        free(memory[i]);
}

int main(int count, char **words)
{
    CHECK(count >= 2);
    if (!strcmp(words[1], "cycles"))
        printf("%ld\n", cycles(atoi(words[2])));
    else if (!strcmp(words[1], "versions"))
        versions();
    else if (!strcmp(words[1], "styles"))
        puts(fliptransition_styles());
    else if (!strcmp(words[1], "errors"))
        errors();
    else if (!strcmp(words[1], "threads"))
        threads();
    else if (!strcmp(words[1], "crews"))
        crews();
    else if (!strcmp(words[1], "neighbors"))
        neighbors();
    else if (!strcmp(words[1], "frame"))
        frame(count - 2, words + 2);
    else
        CHECK(!"a command");
    return 0;
}
