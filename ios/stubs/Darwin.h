// POSIX and related functions on iOS, from the manual pages
#pragma once
#include "stub.h"
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int int32_t;
typedef unsigned long size_t;
typedef int pid_t;
typedef unsigned int socklen_t;
typedef unsigned char sa_family_t;
typedef uint16_t in_port_t;
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct in_addr { uint32_t s_addr; };
struct sockaddr_in { uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
struct in6_addr { union { uint8_t __u6_addr8[16]; } __u6_addr; };
struct sockaddr_in6 {
  uint8_t sin6_len; sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo; struct in6_addr sin6_addr;
  uint32_t sin6_scope_id;
};
struct ifaddrs {
  struct ifaddrs *_Nullable ifa_next; char *_Nonnull ifa_name; unsigned int ifa_flags; struct sockaddr *_Nullable ifa_addr;
};
int getifaddrs(struct ifaddrs *_Nullable *_Nonnull);
void freeifaddrs(struct ifaddrs *_Nullable);
int socket(int, int, int);
int connect(int, const struct sockaddr *_Nonnull, socklen_t);
int close(int);
int fcntl(int, int, int);
int access(const char *_Nonnull, int);
long readlink(const char *_Nonnull, char *_Nonnull, size_t);
int unlink(const char *_Nonnull);
int sysctlbyname(const char *_Nonnull, void *_Nullable, size_t *_Nullable, void *_Nullable, size_t);
int sysctl(int *_Nonnull, unsigned, void *_Nullable, size_t *_Nullable, void *_Nullable, size_t);
pid_t getpid(void);
void _exit(int) __attribute__((noreturn));
pid_t waitpid(pid_t, int *_Nullable, int);
int kill(pid_t, int);
void *_Nullable dlsym(void *_Nullable handle, const char *_Nonnull symbol);
typedef struct __sFILE FILE;
FILE *_Nullable fopen(const char *_Nonnull, const char *_Nonnull);
int fclose(FILE *_Nonnull);
struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *_Nonnull, unsigned, int);
int getsockopt(int, int, int, void *_Nullable, socklen_t *_Nonnull);
struct timeval { long tv_sec; int tv_usec; };
struct extern_proc { int p_flag; };
struct kinfo_proc { struct extern_proc kp_proc; char rest[600]; };
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define F_OK 0
#define CTL_KERN 1
#define KERN_PROC 14
#define KERN_PROC_PID 1
#define P_TRACED 0x800
#define F_SETFL 4
#define O_NONBLOCK 4
#define POLLOUT 4
#define SOL_SOCKET 0xffff
#define SO_ERROR 0x1007
#define IFF_UP 1
#define IFF_RUNNING 0x40
