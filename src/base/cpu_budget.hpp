// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

namespace accord {

/// The CPUs of a run. Every thread that computes leases some: threads of families, of batches, and
/// the threads that these start. The leases together never exceed the CPUs of the run, except for
/// one CPU per thread that feeds a device.
///
/// Every wait for CPUs ends, because the holders of CPUs compute and wait for nothing but CPU time:
/// a thread rests (CpuRest) while it waits for a result, takes no second lease of a budget while it
/// holds one, and calls functions that wait from no loop but parallel_with_leases().
class CpuBudget {
 public:
  /// A budget of `cpus` CPUs, at least 1, all of them free.
  explicit CpuBudget(int cpus) : all_(cpus), free_(cpus) {}

  int cpus() const { return all_; }
  /// The number of threads that wait for CPUs.
  int waiting() const;
  /// For a message: how many CPUs are leased, and how many threads wait for how many CPUs.
  std::string usage() const;

  /// The order of service. `begun` comes first: threads that return from a rest, and leases for
  /// work that others wait for. Threads that feed a device never wait, because an idle device costs
  /// more: if no CPU is free, the run uses one CPU too many.
  enum class Priority { usual, begun, device };

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
    /// Throws  Error{internal} if the thread holds CPUs of this budget already: it would wait for
    ///         CPUs while it holds some.
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
    friend bool may_wait_for_results();
    /// The lease of the calling thread that a rest may give back. Null if there is none, if the
    /// thread has lent its CPUs, or if it computes in a loop on CPUs of a lease outside the loop.
    static Lease* resting();
    int wanted() const;
    void set(int held);
    int acquire(Priority priority);

    CpuBudget& budget_;
    const Priority priority_;
    const std::function<int()> wanted_;
    Lease* const outer_;
    const int outer_threads_;
    const bool is_in_loop_;  // made by a thread of a loop, for itself alone
    int held_ = 0;
    int loans_ = 0;
  };

 private:
  friend class CpuRest;
  friend void rebalance_cpus();

  int acquire(Priority priority, int wanted);
  void release(int cpus);
  int adjust(int held, int wanted);
  /// Gives free CPUs to the waiting threads. The caller holds the lock.
  void serve();

  mutable std::mutex mutex_;
  const int all_;
  int free_;            // below 0 while threads that feed devices have too many
  Line begun_, usual_;  // in the order in which they are served
};

/// While it exists, other threads may use the CPUs of this thread, which waits for something. The
/// destructor waits until the thread has CPUs again. Does nothing for a thread without a lease, for
/// a thread of a loop that computes on the CPUs of a lease outside the loop, and while the thread
/// has lent its CPUs (see CpuLoan).
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
/// wanted number and returns the rest. Does nothing without a lease, or in a loop of several
/// threads.
void rebalance_cpus();

/// Whether the calling thread may wait for the result of another thread. A thread of a loop may do
/// so only with a lease that it has made in the loop: it would otherwise hold CPUs of the loop's
/// lease, for which the other thread may wait.
bool may_wait_for_results();

/// Calls `body(index)` once for every index in [0, count), as parallel_for() does. The bodies may
/// wait for the results of other threads, which the bodies of parallel_for() must not: each call
/// has a lease of one CPU of `budget`, which it gives back while it rests. The lease of the calling
/// thread, which must be one of `budget`, rests until the end of the loop.
/// Throws  as parallel_for().
void parallel_with_leases(CpuBudget& budget, std::size_t count,
                          const std::function<void(std::size_t)>& body);

}  // namespace accord
