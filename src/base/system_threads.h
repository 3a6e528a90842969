/* Threads, locks and signals as the system has them: POSIX's, or Windows' own. What the pool needs and no more. */
#ifndef PLIANT_BASE_SYSTEM_THREADS_H
#define PLIANT_BASE_SYSTEM_THREADS_H

#include <stdbool.h>

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef HANDLE             system_thread;
typedef SRWLOCK            system_lock;
typedef CONDITION_VARIABLE system_signal;

/* The form of a thread's first function. */
#define SYSTEM_THREAD(name, argument) static DWORD WINAPI name(LPVOID argument)
#define SYSTEM_THREAD_END 0

static inline bool system_thread_start(system_thread *thread, LPTHREAD_START_ROUTINE begin, void *argument)
{
    *thread = CreateThread(NULL, 0, begin, argument, 0, NULL);
    return *thread != NULL;
}
static inline void system_thread_join(system_thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}
static inline void system_yield(void) { SwitchToThread(); }
static inline void system_lock_init(system_lock *lock) { InitializeSRWLock(lock); }
static inline void system_lock_end(system_lock *lock) { (void)lock; }
static inline void system_lock_take(system_lock *lock) { AcquireSRWLockExclusive(lock); }
static inline void system_lock_give(system_lock *lock) { ReleaseSRWLockExclusive(lock); }
static inline void system_signal_init(system_signal *signal) { InitializeConditionVariable(signal); }
static inline void system_signal_end(system_signal *signal) { (void)signal; }
static inline void system_signal_wait(system_signal *signal, system_lock *lock) { SleepConditionVariableSRW(signal, lock, INFINITE, 0); }
static inline void system_signal_all(system_signal *signal) { WakeAllConditionVariable(signal); }

#else

#include <pthread.h>
#include <sched.h>

typedef pthread_t       system_thread;
typedef pthread_mutex_t system_lock;
typedef pthread_cond_t  system_signal;

#define SYSTEM_THREAD(name, argument) static void *name(void *argument)
#define SYSTEM_THREAD_END NULL

static inline bool system_thread_start(system_thread *thread, void *(*begin)(void *), void *argument)
{
    return pthread_create(thread, NULL, begin, argument) == 0;
}
static inline void system_thread_join(system_thread thread) { pthread_join(thread, NULL); }
static inline void system_yield(void) { sched_yield(); }
static inline void system_lock_init(system_lock *lock) { pthread_mutex_init(lock, NULL); }
static inline void system_lock_end(system_lock *lock) { pthread_mutex_destroy(lock); }
static inline void system_lock_take(system_lock *lock) { pthread_mutex_lock(lock); }
static inline void system_lock_give(system_lock *lock) { pthread_mutex_unlock(lock); }
static inline void system_signal_init(system_signal *signal) { pthread_cond_init(signal, NULL); }
static inline void system_signal_end(system_signal *signal) { pthread_cond_destroy(signal); }
static inline void system_signal_wait(system_signal *signal, system_lock *lock) { pthread_cond_wait(signal, lock); }
static inline void system_signal_all(system_signal *signal) { pthread_cond_broadcast(signal); }

#endif
#endif
