// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>

namespace accord {

/// The CPUs of a run. Every thread that computes leases some: threads of families, of batches, and
/// the threads that these start. The leases together never exceed the CPUs of the run, except for
/// one CPU per thread that feeds a device.
class CpuBudget {
 public:
  /// A budget of `cpus` CPUs, at least 1, all of them free.
  explicit CpuBudget(int cpus) : all_(cpus), free_(cpus) {}

  int cpus() const { return all_; }
  /// The number of threads that wait for CPUs.
  int waiting() const;

  /// The order of service. Threads that return from a rest come first. Threads that feed a device
  /// never wait, because an idle device costs more: if no CPU is free, the run uses one CPU too
  /// many.
  enum class Priority { usual, device };

 private:
  /// A thread that waits for CPUs. Each waiter is woken by itself when it has its CPUs: if all of a
  /// hundred waiting families woke at once, they would contend for the lock that threads which feed
  /// a device need.
  struct Waiter {
    int wanted;
    int taken = 0;
    Waiter* behind = nullptr;
    std::condition_variable is_served{};
  };
  /// A first-in, first-out queue. It allocates nothing, because threads return from a rest in a
  /// destructor.
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
  /// A lease of CPUs for the calling thread: thread_count() returns their number until the lease
  /// ends. A nested lease of another budget replaces this one until the nested lease ends.
  class Lease {
   public:
    /// Waits its turn until about half of the wanted CPUs are free, then takes up to `wanted` CPUs,
    /// at least one. `wanted` is called again after every rest and in every rebalance_cpus(), by
    /// the thread of the lease. The lease must end in this thread, before the budget.
    Lease(CpuBudget& budget, std::function<int()> wanted, Priority priority = Priority::usual);
    /// The same with a constant number of wanted CPUs.
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
  /// Gives free CPUs to the waiting threads. The caller holds the lock.
  void serve();

  mutable std::mutex mutex_;
  const int all_;
  int free_;                // below 0 while threads that feed devices have too many
  Line returning_, usual_;  // in the order in which they are served
};

/// While it exists, other threads may use the CPUs of this thread, which waits for something. The
/// destructor waits until the thread has CPUs again. Does nothing for a thread without a lease, or
/// while the thread has lent its CPUs (see CpuLoan).
class CpuRest {
 public:
  CpuRest();
  ~CpuRest();
  CpuRest(const CpuRest&) = delete;
  CpuRest& operator=(const CpuRest&) = delete;

 private:
  CpuBudget::Lease* lease_;
};

/// Lends the CPUs of the thread that makes this object to a helper thread, while the lender waits.
/// The lender starts the helper itself.
class CpuLoan {
 public:
  CpuLoan();
  ~CpuLoan();
  CpuLoan(const CpuLoan&) = delete;
  CpuLoan& operator=(const CpuLoan&) = delete;

  /// The helper thread calls this once; from then on it computes with the lent CPUs. The loan must
  /// outlive the helper thread.
  void take() const;

 private:
  CpuBudget::Lease* lease_;
  const int threads_;
};

/// Adjusts the lease of the calling thread, which calls this between two parts of its work. The
/// lease grows by CPUs that no thread waits for. If another thread waits, the lease shrinks to the
/// wanted number and returns the rest. Does nothing without a lease.
void rebalance_cpus();

}  // namespace accord
