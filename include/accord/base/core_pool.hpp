// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace accord {

/// The cores of a run, shared out among threads that have work of their own, each of which may
/// spread its loops over several cores.
class CorePool {
 public:
  explicit CorePool(int cores) : free_(cores) {}

  /// Cores of the calling thread: as many as thread_count() says to it until the end of its life.
  class Share {
   public:
    /// Waits, first come first served, until about half of `wanted` cores are free, and takes up
    /// to `wanted`, at least one. One share a thread at a time.
    Share(CorePool& pool, int wanted);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    friend class CoreRest;
    friend void rebalance_cores();
    void set(int held);

    CorePool& pool_;
    const int wanted_;
    int held_ = 0;
  };

 private:
  friend class CoreRest;
  friend void rebalance_cores();

  int acquire(int wanted);
  int acquire_again(int wanted);
  void release(int cores);
  int adjust(int held, int wanted);

  std::mutex mutex_;
  std::condition_variable changed_;
  int free_;
  std::uint64_t next_ticket_ = 0, served_ = 0;
  int returning_ = 0;  // threads that wait for cores after a rest; they come before new ones
};

/// For the time that a thread waits for something else: others may use its cores. Nothing for a
/// thread without a share.
class CoreRest {
 public:
  CoreRest();
  ~CoreRest();
  CoreRest(const CoreRest&) = delete;
  CoreRest& operator=(const CoreRest&) = delete;

 private:
  CorePool::Share* share_;
};

/// To be called by a thread between two parts of its work: its share takes the cores that nobody
/// uses, or gives back those above its wish that others wait for. Nothing without a share.
void rebalance_cores();

}  // namespace accord
