// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace accord {

/// The cores of a run, shared out among threads that have work of their own, each of which may
/// spread its loops over several cores.
class CorePool {
 public:
  explicit CorePool(int cores) : all_(cores), free_(cores) {}

  /// Cores of the calling thread: as many as thread_count() says to it until the end of its life.
  class Share {
   public:
    /// Waits, first come first served, until about half of the cores that it wants are free, and
    /// takes as many as it wants, at least one. `wanted` is asked again after every rest and at
    /// every rebalance_cores(). One share a thread at a time.
    Share(CorePool& pool, std::function<int()> wanted);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    friend class CoreRest;
    friend void rebalance_cores();
    int wanted() const;
    void set(int held);

    CorePool& pool_;
    const std::function<int()> wanted_;
    int held_ = 0;
  };

 private:
  friend class CoreRest;
  friend void rebalance_cores();

  /// Threads that wait for cores, first come first served.
  struct Line {
    std::uint64_t next_ticket = 0, served = 0;
    bool is_empty() const { return served == next_ticket; }
  };

  int acquire(Line& line, int wanted);
  void release(int cores);
  int adjust(int held, int wanted);

  std::mutex mutex_;
  std::condition_variable changed_;
  const int all_;
  int free_;
  Line new_, returning_;  // those that come back from a rest go before new ones
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
/// waits for, or up to its wish if somebody does, and then gives back those above its wish. Nothing
/// without a share.
void rebalance_cores();

}  // namespace accord
