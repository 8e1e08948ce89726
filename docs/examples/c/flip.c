/*
 * Draws one frame between two pictures of raw RGB, and writes it.
 *
 *     cc flip.c -o flip $(pkg-config --cflags --libs fliptransition)
 *     ffmpeg -i a.png -pix_fmt rgb24 a.rgb; ffmpeg -i b.png -pix_fmt rgb24 b.rgb
 *     ./flip 640 360 0.4 a.rgb b.rgb frame.rgb style=fold mode=cubic
 *     ffmpeg -f rawvideo -pix_fmt rgb24 -s 640x360 -i frame.rgb frame.png
 */
#include <fliptransition.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints the handle's message about the call that failed. */
static int failed(fliptransition *flip)
{
    char sentence[512];
    fliptransition_error(flip, sentence, sizeof sentence);
    fprintf(stderr, "flip: %s\n", sentence);
    return 1;
}

static unsigned char *read_picture(const char *path, size_t size)
{
    unsigned char *bytes = malloc(size);
    FILE *file = fopen(path, "rb");
    if (!bytes || !file || fread(bytes, 1, size, file) != size) {
        fprintf(stderr, "flip: %s does not hold a picture of %zu bytes\n", path, size);
        exit(1);
    }
    fclose(file);
    return bytes;
}

int main(int count, char **words)
{
    if (count < 7) {
        fprintf(stderr, "flip <width> <height> <progress> <a.rgb> <b.rgb> <out.rgb> [option=value]...\n");
        return 64;
    }
    int width = atoi(words[1]), height = atoi(words[2]);

    fliptransition *flip = fliptransition_open();
    for (int i = 7; i < count; i++) {
        char *value = strchr(words[i], '=');
        if (value)
            *value++ = 0;
        if (fliptransition_set(flip, words[i], value))
            return failed(flip);
    }
    if (fliptransition_set_format(flip, "rgb24", width, height))
        return failed(flip);

    size_t stride = (size_t)width * 3, size = stride * (size_t)height;
    fliptransition_picture from = {{read_picture(words[4], size)}, {(ptrdiff_t)stride}};
    fliptransition_picture to = {{read_picture(words[5], size)}, {(ptrdiff_t)stride}};
    fliptransition_picture into = {{malloc(size)}, {(ptrdiff_t)stride}};
    if (fliptransition_render(flip, atof(words[3]), &from, &to, &into))
        return failed(flip);

    FILE *file = fopen(words[6], "wb");
    if (!file || fwrite(into.planes[0], 1, size, file) != size || fclose(file)) {
        perror(words[6]);
        return 1;
    }
    free(from.planes[0]);
    free(to.planes[0]);
    free(into.planes[0]);
    fliptransition_close(flip);
    return 0;
}
