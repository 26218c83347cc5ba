# shellcheck shell=sh
# Checks of arguments for the scripts of this folder, to be made before anything else. For sourcing.

wrong_usage() { # what
    echo "$(basename "$(dirname "$0")"): $1 (see --help)" >&2
    exit 2
}

at_most_words() { # number words...
    most=$1
    shift
    for word in "$@"; do
        case $word in -*) wrong_usage "options come first, not '$word'" ;; esac
    done
    [ $# -le "$most" ] || wrong_usage "too many arguments, $most at most"
}

number() { # name least value
    case $3 in
        '' | *[!0-9]* | ????????*)
            wrong_usage "$1: '$3' is not a whole number from $2 to 9999999"
            ;;
    esac
    [ "$3" -ge "$2" ] || wrong_usage "$1: '$3' is not a whole number from $2 to 9999999"
}

numbers() { # name least list
    [ -n "$(echo "$3" | tr -d ' ')" ] || wrong_usage "$1: no number in '$3'"
    for one in $3; do number "$1" "$2" "$one"; done
}

# The folder of a build, as an absolute path.
build_folder() {
    if [ ! -f "$1/lib/libartel.so" ]; then
        wrong_usage "'$1' holds no build; cmake --preset release && cmake --build --preset release makes one in build/"
    fi
    (cd "$1" && pwd)
}

need_program() { # name
    command -v "$1" >/dev/null || {
        echo "$(basename "$(dirname "$0")"): $1 is not installed" >&2
        exit 1
    }
}
