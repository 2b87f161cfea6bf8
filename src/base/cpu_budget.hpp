// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>

namespace accord {

/// The CPUs of a run, leased to all of its threads that compute: families, batches of backends, and
/// what they start beside them. The leases together never hold more than there are, but for one
/// CPU of each thread that feeds a device.
class CpuBudget {
 public:
  explicit CpuBudget(int cpus) : all_(cpus), free_(cpus) {}

  int cpus() const { return all_; }
  /// Threads that wait for CPUs.
  int waiting() const;

  /// Who is served first: those that come back from a rest. Those that feed a device never wait,
  /// since a device that does costs more: where no CPU is free they have one too many.
  enum class Priority { usual, device };

 private:
  /// A thread that waits for CPUs. Each is woken for itself, when it has them: a hundred families
  /// may wait, and all of them would crowd the lock that threads which feed a device need next.
  struct Waiter {
    int wanted;
    int taken = 0;
    Waiter* behind = nullptr;
    std::condition_variable is_served{};
  };
  /// First come first served. It takes no memory of its own, since threads come back from a rest in
  /// a destructor.
  class Line {
   public:
    Waiter* first() const { return first_; }
    int length() const { return length_; }
    void append(Waiter& waiter);
    void remove_first();

   private:
    Waiter *first_ = nullptr, *last_ = nullptr;
    int length_ = 0;
  };

 public:
  /// CPUs of the calling thread: as many as thread_count() says to it until the lease ends. A lease
  /// within another one, of another budget, replaces it meanwhile.
  class Lease {
   public:
    /// Waits, first come first served, until about half of the CPUs that it wants are free, and
    /// takes as many as it wants, at least one. `wanted` is asked again after every rest and at
    /// every rebalance_cpus().
    Lease(CpuBudget& budget, std::function<int()> wanted, Priority priority = Priority::usual);
    /// The same with a wish that does not change.
    Lease(CpuBudget& budget, int wanted) : Lease(budget, [wanted] { return wanted; }) {}
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

   private:
    friend class CpuRest;
    friend class CpuLoan;
    friend void rebalance_cpus();
    int wanted() const;
    void set(int held);
    int acquire(Line& line);

    CpuBudget& budget_;
    const Priority priority_;
    const std::function<int()> wanted_;
    Lease* const outer_;
    const int outer_threads_;
    int held_ = 0;
    int loans_ = 0;
  };

 private:
  friend class CpuRest;
  friend void rebalance_cpus();

  int acquire(Line& line, int wanted);
  int acquire_at_once(int wanted);
  void release(int cpus);
  int adjust(int held, int wanted);
  /// Gives free CPUs to those that wait, with the lock held.
  void serve();

  mutable std::mutex mutex_;
  const int all_;
  int free_;                // below 0 while threads that feed devices have too many
  Line returning_, usual_;  // in the order in which they are served
};

/// For the time that a thread waits for something else: others may use its CPUs. Nothing for a
/// thread without a lease, or while a helper has its CPUs.
class CpuRest {
 public:
  CpuRest();
  ~CpuRest();
  CpuRest(const CpuRest&) = delete;
  CpuRest& operator=(const CpuRest&) = delete;

 private:
  CpuBudget::Lease* lease_;
};

/// Lends the CPUs of a thread to a helper that it starts, while it waits for something else itself.
class CpuLoan {
 public:
  CpuLoan();
  ~CpuLoan();
  CpuLoan(const CpuLoan&) = delete;
  CpuLoan& operator=(const CpuLoan&) = delete;

  /// In the helper: from now on it computes with the lent CPUs. The loan must last longer.
  void take() const;

 private:
  CpuBudget::Lease* lease_;
  const int threads_;
};

/// To be called by a thread between two parts of its work: its lease takes the CPUs that nobody
/// waits for, or up to its wish if somebody does, and then gives back those above its wish. Nothing
/// without a lease.
void rebalance_cpus();

}  // namespace accord
