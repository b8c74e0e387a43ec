package paths

import (
	"os"
	"strings"
)

// Tail returns the last count lines of a file, from at most the last 256 KiB.
func Tail(name string, count int) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-256<<10)
	text := make([]byte, info.Size()-from)
	n, err := f.ReadAt(text, from)
	if err != nil && n == 0 && len(text) > 0 {
		return nil, err
	}
	all := strings.Split(strings.TrimRight(string(text[:n]), "\n"), "\n")
	if from > 0 && len(all) > 1 {
		all = all[1:] // the first line is not complete
	}
	if len(all) == 1 && all[0] == "" {
		return nil, nil
	}
	return all[max(0, len(all)-count):], nil
}
