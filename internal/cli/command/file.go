package command

import (
	"fmt"
	"io"
	"os"

	"cove/internal/fault"
)

// ReadFile reads a file of at most limit bytes, whole MiB. The name - means standard input.
func (e *Env) ReadFile(name string, limit int64) ([]byte, error) {
	unreadable := fault.New(fault.CodeNoFile, fmt.Sprintf("The file %q cannot be read.", name), "Check its path.")
	from := e.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, unreadable.Because(err)
		}
		defer func() { _ = f.Close() }()
		from = f
	}
	raw, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err != nil {
		return nil, unreadable.Because(err)
	}
	if int64(len(raw)) > limit {
		return nil, fault.New(fault.CodeTooLarge, fmt.Sprintf("The file %q is larger than %d MiB.", name, limit>>20),
			"Use a smaller file.")
	}
	return raw, nil
}
