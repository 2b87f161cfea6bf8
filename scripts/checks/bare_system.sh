# shellcheck shell=bash
# shellcheck disable=SC2154  # root and build are those of lib.sh
# Bare Debian systems for checks: source it after lib.sh.
# Minimal systems made by debootstrap, and packages that were downloaded, are kept in
# ACCORD_MACHINES ($XDG_CACHE_HOME/accord/machines) and copied for each run. Mirror, keys, proxies
# and certificates are those of this machine's apt and pip. Objects that were compiled are kept
# there, too, by the one package that is installed beforehand, ccache; with CCACHE_DISABLE=1 there
# is none. Needs root and debootstrap (installed by apt if it is missing).

machines=${ACCORD_MACHINES:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/accord/machines}
days_kept=30  # a minimal system is made anew after that

cannot() {
  say "SKIPPED: no bare system here: $1"
  exit 77
}

# The URI of the Debian archive that this machine's apt uses.
mirror() {
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian Debian //p' | sort -u | head -n 1
}

# make_minimal SUITE TAR: a minimal system as a tar file.
make_minimal() {
  local suite=$1 tar=$2 uri made
  [[ $(id -u) -eq 0 ]] || cannot 'this is not root'
  command -v debootstrap >/dev/null || apt_install debootstrap || cannot 'debootstrap is missing'
  uri=$(mirror)
  if [[ -z $uri ]]; then  # apt knows what an archive is once it has been there
    run_logged "$build/apt-update.log" apt-get -q update || true
    uri=$(mirror)
  fi
  [[ -n $uri ]] || cannot 'apt has no archive of Debian'
  made=$(mktemp -d "$machines/made.XXXXXX")
  say "making a minimal $suite"
  if ! run_logged "$tar.log" debootstrap --variant=minbase "$suite" "$made" "$uri"; then
    rm -rf --one-file-system "$made"
    cannot "debootstrap fails (log: $tar.log)"
  fi
  rm -f "$made"/var/cache/apt/archives/*.deb
  tar -C "$made" -cf "$tar.part" .
  mv "$tar.part" "$tar"
  rm -rf --one-file-system "$made"
}

# The settings of this machine's apt and pip that say how the network is reached.
copy_network_settings() {
  local system=$1 name value
  declare -A settings=()
  cp -L /etc/resolv.conf "$system/etc/resolv.conf"
  apt-config dump | grep -E '^Acquire::(http|https|Check-)' \
    >"$system/etc/apt/apt.conf.d/90network" || true
  command -v pip3 >/dev/null || return 0
  while IFS='=' read -r name value; do  # such as global.cert='/etc/ssl/certs/own.crt'
    value=${value#\'}
    value=${value%\'}
    if [[ $value == /* ]]; then  # a certificate comes along, other local paths do not
      [[ -f $value ]] || continue
      install -D -m 644 "$value" "$system/etc/network/${value##*/}"  # where no package puts one
      value=/etc/network/${value##*/}
    fi
    settings[${name##*.}]=$value
  done < <(pip3 config list 2>/dev/null)
  printf '[global]\n' >"$system/etc/pip.conf"
  for name in "${!settings[@]}"; do
    printf '%s = %s\n' "$name" "${settings[$name]}" >>"$system/etc/pip.conf"
  done
}

# bare_system bookworm|trixie: makes a system of its own in $system, with a clone of the committed
# tree in /root/accord; it goes when the script ends. Exits 77, with the reason, where none can be
# made.
bare_system() {
  suite=$1
  mkdir -p "$build" "$machines"
  if [[ -z $(find "$machines/$suite.tar" -mtime "-$days_kept" 2>/dev/null) ]]; then
    make_minimal "$suite" "$machines/$suite.tar"
  fi
  unshare --mount --pid --fork true 2>/dev/null || cannot 'unshare has no permission'
  system=$(mktemp -d "$machines/run.XXXXXX")
  trap 'rm -rf --one-file-system "$system"' EXIT
  tar -C "$system" -xf "$machines/$suite.tar"
  chmod 755 "$system"  # mktemp leaves 700, so that a plain user inside would reach no file
  echo force-unsafe-io >"$system/etc/dpkg/dpkg.cfg.d/unsafe-io"  # it is thrown away anyhow
  copy_network_settings "$system"
  echo 127.0.0.1 localhost >"$system/etc/hosts"  # which debootstrap leaves to the installer
  git clone -q --no-hardlinks "$root" "$system/root/accord"
  [[ ${CCACHE_DISABLE:-} ]] || run_logged "$build/ccache-$suite.log" enter bash -c \
    'apt-get -q update && apt-get -q install -y --no-install-recommends ccache' ||
    cannot "apt installs nothing in it (log: $build/ccache-$suite.log)"
}

namespaces=(--mount --pid)  # of the commands that enter() runs

# enter COMMAND...: runs a command in the system, as on a machine of its own; what it starts ends
# with it.
enter() {
  local kept=() launcher=()
  mapfile -t kept < <(env |
    grep -iE '^(https?|ftp|no)_proxy=|^ACCORD_(FUZZ_SECONDS|LONG_CHECKS_UNTIL)=' || true)
  # Python sets a locale for what it starts, which no object depends on; debhelper sets HOME.
  [[ ! -x $system/usr/bin/ccache ]] ||
    launcher=(CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=locale
      CCACHE_DIR=/root/.cache/ccache)
  [[ ${CCACHE_DISABLE:-} ]] || launcher+=(ACCORD_TIDY_CACHE=/root/.cache/tidy)
  # shellcheck disable=SC2016
  unshare "${namespaces[@]}" --fork --kill-child bash -euo pipefail -c '
    system=$1 machines=$2 suite=$3
    shift 3
    mount --make-rprivate /
    mount -t proc proc "$system/proc"
    mount --rbind /sys "$system/sys"
    mount --rbind /dev "$system/dev"
    share() { mkdir -p "$machines/$1" "$system$2" && mount --bind "$machines/$1" "$system$2"; }
    share "$suite.archives" /var/cache/apt/archives
    share "$suite.ccache" /root/.cache/ccache
    share "$suite.tidy" /root/.cache/tidy
    share pip /root/.cache/pip
    exec chroot "$system" "$@"' enter "$system" "$machines" "$suite" \
    env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CI=true "${launcher[@]}" "${kept[@]}" "$@"
}
