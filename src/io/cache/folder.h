/* Caches that are a folder with a file per body and frame, BODY.0001.obj: functions that their formats share. Each file is complete before it has its
 * name; a reader finds the frames by the names in the folder. */
#ifndef PLIANT_IO_CACHE_FOLDER_H
#define PLIANT_IO_CACHE_FOLDER_H

#include "io/cache/cache.h"
#include "io/cache/writer.h"

/* How whole a file is. Cut: good as far as it goes. */
typedef enum pliant__verdict { PLIANT__WHOLE, PLIANT__CUT, PLIANT__WRONG } pliant__verdict;

/* Writes a frame; `put` makes a body's file in writer->text, and is false if memory ran out. */
bool pliant__folder_write(pliant_writer *writer, const pliant_state                                                                 *state,
                          bool (*put)(pliant_writer *writer, const pliant_body_info *body, const pliant_state *state), pliant_error *error);

/* Removes frames other than the first. A format with a list does that once it holds the list's lock: the files may be another run's. */
bool pliant__folder_clear(const pliant_writer *writer, pliant_error *error);

/* A format's reader of one file, with its bytes in cache->text: body number `body`'s vertices into cache->x (and v). */
typedef pliant__verdict (*pliant__folder_take)(pliant_cache *cache, const char *path, uint32_t body, pliant_error *error);

/* Bytes that a file of a body may have at the most. */
typedef uint64_t (*pliant__folder_largest)(const pliant_body_info *body);

/* Finds the frames, or, where a list names them, checks whether the last one is whole. */
bool pliant__folder_open(pliant_cache *cache, pliant__folder_take take, pliant__folder_largest largest, pliant_error *error);
bool pliant__folder_read(pliant_cache *cache, uint32_t index, pliant__folder_take take, pliant__folder_largest largest,
                         pliant_error *error);

#endif
