/* Minesweeper's engine as one would plainly write it in C, to be measured beside ours: a byte for
   each cell, nested loops, a stack of cells. Every timed function says how many nanoseconds of
   processor time its work took, so that calling it from Python does not count. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CELLS = 255 * 255 };

static int columns, rows;
static uint8_t mined[MOST_CELLS], clue[MOST_CELLS], visible[MOST_CELLS], flagged[MOST_CELLS];
static int visible_count, safe_count, right_flags, wrong_flags, mine_count;
static int order[MOST_CELLS], stack[MOST_CELLS];

static uint64_t random_state;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void lay_mines(int count) {
    int cells = columns * rows;
    memset(mined, 0, cells);
    for (int i = 0; i < cells; i++) order[i] = i;
    for (int i = 0; i < count; i++) {
        int j = i + next_random() % (cells - i);
        int cell = order[j];
        order[j] = order[i];
        mined[cell] = 1;
    }
}

static void count_clues(void) {
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            int count = 0;
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int y = row + dy, x = column + dx;
                    if ((dx || dy) && y >= 0 && y < rows && x >= 0 && x < columns)
                        count += mined[y * columns + x];
                }
            }
            clue[row * columns + column] = count;
        }
    }
}

int64_t new_board(int width, int height, int count, uint64_t seed) {
    columns = width;
    rows = height;
    random_state = seed * 2 + 1;
    int64_t start = now();
    lay_mines(count);
    count_clues();
    return now() - start;
}

/* Start a game on a layout of ours: one byte for each cell. */
void load(int width, int height, const uint8_t *mines) {
    columns = width;
    rows = height;
    memcpy(mined, mines, columns * rows);
    count_clues();
    memset(visible, 0, sizeof visible);
    memset(flagged, 0, sizeof flagged);
    visible_count = right_flags = wrong_flags = mine_count = 0;
    for (int i = 0; i < columns * rows; i++) mine_count += mined[i];
    safe_count = columns * rows - mine_count;
}

static int uncover(int first, int diagonal) {
    int height = 0, opened = 1;
    visible[first] = 1;
    stack[height++] = first;
    while (height) {
        int cell = stack[--height];
        if (clue[cell]) continue;
        int column = cell % columns, row = cell / columns;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                int y = row + dy, x = column + dx;
                if ((!dx && !dy) || (!diagonal && dx && dy)) continue;
                if (y < 0 || y >= rows || x < 0 || x >= columns) continue;
                int next = y * columns + x;
                if (visible[next]) continue;
                visible[next] = 1;
                flagged[next] = 0;
                stack[height++] = next;
                opened++;
            }
        }
    }
    visible_count += opened;
    return opened;
}

int cascade(int cell, int diagonal, int64_t *nanoseconds) {
    int64_t start = now();
    int opened = uncover(cell, diagonal);
    *nanoseconds = now() - start;
    return opened;
}

int three_bv(int diagonal, int64_t *nanoseconds) {
    int64_t start = now();
    int count = 0, cells = columns * rows;
    for (int cell = 0; cell < cells; cell++) {
        if (mined[cell] || clue[cell] || visible[cell]) continue;
        uncover(cell, diagonal);
        count++;
    }
    for (int cell = 0; cell < cells; cell++) count += !mined[cell] && !visible[cell];
    *nanoseconds = now() - start;
    return count;
}

int64_t reveal_each(const int *cells, int count) {
    int64_t start = now();
    volatile int won = 0;
    for (int i = 0; i < count; i++) {
        int cell = cells[i];
        if (visible[cell] || flagged[cell] || mined[cell]) continue;
        uncover(cell, 1);
        if (visible_count == safe_count) won = 1;
    }
    return now() - start;
}

int64_t flag_each(const int *cells, int count) {
    int64_t start = now();
    volatile int won = 0;
    for (int i = 0; i < count; i++) {
        int cell = cells[i];
        if (visible[cell]) continue;
        flagged[cell] ^= 1;
        int step = flagged[cell] ? 1 : -1;
        if (mined[cell]) right_flags += step;
        else wrong_flags += step;
        if (right_flags == mine_count && !wrong_flags) won = 1;
    }
    return now() - start;
}
