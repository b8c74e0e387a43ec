package paths

import (
	"os"
	"path/filepath"
	"sync"
)

const maxLog = 5 << 20

// LogFile is a log file. When it is full it becomes the older file, and a new one begins. It is safe for concurrent
// use.
type LogFile struct {
	name string
	mu   sync.Mutex
	f    *os.File
	size int64
}

// OpenLog opens a log for appending.
func OpenLog(name string) (*LogFile, error) {
	l := &LogFile{name: name}
	return l, l.open()
}

// AppendTo opens a log that never rotates. It creates the folder if somebody removed it to free space.
func AppendTo(name string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

func (l *LogFile) open() error {
	f, err := AppendTo(l.name)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return err
	}
	l.f, l.size = f, info.Size()
	return nil
}

// Write appends to the log. A full log is renamed to NAME.1, and a new one begins.
func (l *LogFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size > 0 && l.size+int64(len(p)) > maxLog {
		_ = l.f.Close()
		_ = os.Rename(l.name, l.name+".1")
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	n, err := l.f.Write(p)
	l.size += int64(n)
	return n, err
}

// Close closes the log.
func (l *LogFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.Close()
}
