// Images of the process: man 3 dyld
#pragma once
#include "Darwin.h"
uint32_t _dyld_image_count(void);
const char *_Nullable _dyld_get_image_name(uint32_t image_index);
struct mach_header { uint32_t magic; int32_t cputype; int32_t cpusubtype; uint32_t filetype; uint32_t ncmds; uint32_t sizeofcmds; uint32_t flags; };
struct mach_header_64 { uint32_t magic; int32_t cputype; int32_t cpusubtype; uint32_t filetype; uint32_t ncmds; uint32_t sizeofcmds; uint32_t flags; uint32_t reserved; };
struct load_command { uint32_t cmd; uint32_t cmdsize; };
struct encryption_info_command_64 { uint32_t cmd; uint32_t cmdsize; uint32_t cryptoff; uint32_t cryptsize; uint32_t cryptid; uint32_t pad; };
const struct mach_header *_Nullable _dyld_get_image_header(uint32_t image_index);
#define LC_ENCRYPTION_INFO_64 0x2C
#define MH_EXECUTE 2
