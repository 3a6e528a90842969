/* The functions of libhdf5 that hdf.c calls; the library is loaded when the first file is made. libhdf5 brings some thirty libraries more, and all
 * together take longer to load than a command runs that makes no such file. */
#ifndef PLIANT_IO_CACHE_HDF5_LATE_H
#define PLIANT_IO_CACHE_HDF5_LATE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef PLIANT_LATE_HDF5
#include "base/late.h"

/* The functions that are called, and those that the header's macros name. */
#define HDF5(X)                    \
    X(H5open)                      \
    X(H5check_version)             \
    X(H5Aclose)                    \
    X(H5Acreate2)                  \
    X(H5Awrite)                    \
    X(H5Dclose)                    \
    X(H5Dcreate2)                  \
    X(H5Dget_offset)               \
    X(H5Dwrite)                    \
    X(H5Dwrite_chunk)              \
    X(H5Eget_auto2)                \
    X(H5Eset_auto2)                \
    X(H5Fclose)                    \
    X(H5Fcreate)                   \
    X(H5Fget_filesize)             \
    X(H5Gclose)                    \
    X(H5Gcreate2)                  \
    X(H5Gopen2)                    \
    X(H5Oclose)                    \
    X(H5Oopen)                     \
    X(H5Pclose)                    \
    X(H5Pcreate)                   \
    X(H5Pset_alloc_time)           \
    X(H5Pset_chunk)                \
    X(H5Pset_fapl_core)            \
    X(H5Pset_file_image_callbacks) \
    X(H5Pset_fill_time)            \
    X(H5Pset_meta_block_size)      \
    X(H5Pset_obj_track_times)      \
    X(H5Sclose)                    \
    X(H5Screate)                   \
    X(H5Screate_simple)            \
    X(H5Tclose)                    \
    X(H5Tcopy)                     \
    X(H5Tset_size)                 \
    X(H5Tset_strpad)               \
    X(H5P_CLS_DATASET_CREATE_ID_g) \
    X(H5P_CLS_FILE_ACCESS_ID_g)    \
    X(H5T_C_S1_g)                  \
    X(H5T_IEEE_F32LE_g)            \
    X(H5T_IEEE_F64LE_g)            \
    X(H5T_NATIVE_INT64_g)          \
    X(H5T_STD_I32LE_g)             \
    X(H5T_STD_I64LE_g)

static struct {
    HDF5(LATE_POINTER)
} hdf5;

#define HDF5_SYMBOL(name) {#name, &hdf5.name},
static const late_symbol hdf5_symbols[] = {HDF5(HDF5_SYMBOL)};
#undef HDF5_SYMBOL
static late_library hdf5_library = LATE_LIBRARY(PLIANT_LATE_HDF5, hdf5_symbols);

static bool open_hdf5(char *why, size_t size) { return late_open(&hdf5_library, why, size); }

#define H5open (*hdf5.H5open)
#define H5check_version (*hdf5.H5check_version)
#define H5Aclose (*hdf5.H5Aclose)
#define H5Acreate2 (*hdf5.H5Acreate2)
#define H5Awrite (*hdf5.H5Awrite)
#define H5Dclose (*hdf5.H5Dclose)
#define H5Dcreate2 (*hdf5.H5Dcreate2)
#define H5Dget_offset (*hdf5.H5Dget_offset)
#define H5Dwrite (*hdf5.H5Dwrite)
#define H5Dwrite_chunk (*hdf5.H5Dwrite_chunk)
#define H5Eget_auto2 (*hdf5.H5Eget_auto2)
#define H5Eset_auto2 (*hdf5.H5Eset_auto2)
#define H5Fclose (*hdf5.H5Fclose)
#define H5Fcreate (*hdf5.H5Fcreate)
#define H5Fget_filesize (*hdf5.H5Fget_filesize)
#define H5Gclose (*hdf5.H5Gclose)
#define H5Gcreate2 (*hdf5.H5Gcreate2)
#define H5Gopen2 (*hdf5.H5Gopen2)
#define H5Oclose (*hdf5.H5Oclose)
#define H5Oopen (*hdf5.H5Oopen)
#define H5Pclose (*hdf5.H5Pclose)
#define H5Pcreate (*hdf5.H5Pcreate)
#define H5Pset_alloc_time (*hdf5.H5Pset_alloc_time)
#define H5Pset_chunk (*hdf5.H5Pset_chunk)
#define H5Pset_fapl_core (*hdf5.H5Pset_fapl_core)
#define H5Pset_file_image_callbacks (*hdf5.H5Pset_file_image_callbacks)
#define H5Pset_fill_time (*hdf5.H5Pset_fill_time)
#define H5Pset_meta_block_size (*hdf5.H5Pset_meta_block_size)
#define H5Pset_obj_track_times (*hdf5.H5Pset_obj_track_times)
#define H5Sclose (*hdf5.H5Sclose)
#define H5Screate (*hdf5.H5Screate)
#define H5Screate_simple (*hdf5.H5Screate_simple)
#define H5Tclose (*hdf5.H5Tclose)
#define H5Tcopy (*hdf5.H5Tcopy)
#define H5Tset_size (*hdf5.H5Tset_size)
#define H5Tset_strpad (*hdf5.H5Tset_strpad)
#define H5P_CLS_DATASET_CREATE_ID_g (*hdf5.H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g (*hdf5.H5P_CLS_FILE_ACCESS_ID_g)
#define H5T_C_S1_g (*hdf5.H5T_C_S1_g)
#define H5T_IEEE_F32LE_g (*hdf5.H5T_IEEE_F32LE_g)
#define H5T_IEEE_F64LE_g (*hdf5.H5T_IEEE_F64LE_g)
#define H5T_NATIVE_INT64_g (*hdf5.H5T_NATIVE_INT64_g)
#define H5T_STD_I32LE_g (*hdf5.H5T_STD_I32LE_g)
#define H5T_STD_I64LE_g (*hdf5.H5T_STD_I64LE_g)

#else

static bool open_hdf5(char *why, size_t size)
{
    (void)why;
    (void)size;
    return true;
}

#endif
#endif
