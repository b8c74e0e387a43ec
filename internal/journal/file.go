package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const extension = ".jsonl"

func fileName(number int) string { return fmt.Sprintf("%08d%s", number, extension) }

func (p Place) file(number int) string { return filepath.Join(p.Dir.Journal(), fileName(number)) }

// fileNumber reads the number of a journal's file; false for any other name.
func fileNumber(name string) (int, bool) {
	digits, ok := strings.CutSuffix(name, extension)
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0 && fileName(n) == name
}

// files lists the numbers of the journal's files in order, and what else lies in the folder.
func (p Place) files() (numbers []int, strangers []string, err error) {
	found, err := os.ReadDir(p.Dir.Journal())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil
	}
	for _, f := range found {
		if n, ok := fileNumber(f.Name()); ok && f.Type().IsRegular() {
			numbers = append(numbers, n)
		} else {
			strangers = append(strangers, f.Name())
		}
	}
	slices.Sort(numbers)
	return numbers, strangers, err
}

var errLong = errors.New("a line is too long to be the journal's")

// eachLine calls do with every line, without its end; whole says that it has one. It stops when do answers false.
func eachLine(r io.Reader, do func(number int, text []byte, whole bool) bool) error {
	in := bufio.NewReaderSize(r, maxLine)
	for number := 1; ; number++ {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return errLong
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case len(text) == 0:
			return nil
		}
		line, whole := bytes.CutSuffix(text, []byte("\n"))
		if !do(number, line, whole) || !whole {
			return nil
		}
	}
}

// linesOf is eachLine of a file of the journal.
func (p Place) linesOf(file int, do func(number int, text []byte, whole bool) bool) error {
	f, err := os.Open(p.file(file))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return eachLine(f, do)
}

// firstOf reads a file's first line; false when there is none.
func (p Place) firstOf(file int) (w written, ok bool) {
	_ = p.linesOf(file, func(_ int, text []byte, whole bool) bool {
		w, ok = read(text)
		ok = ok && whole
		return false
	})
	return w, ok
}

// lastOf reads the line that ends at size; false when no line of ours does.
func (p Place) lastOf(file int, size int64) (written, bool) {
	f, err := os.Open(p.file(file))
	if err != nil {
		return written{}, false
	}
	defer func() { _ = f.Close() }()
	text := make([]byte, min(size, maxLine))
	if _, err := f.ReadAt(text, size-int64(len(text))); err != nil && !errors.Is(err, io.EOF) {
		return written{}, false
	}
	text, whole := bytes.CutSuffix(text, []byte("\n"))
	if !whole {
		return written{}, false
	}
	return read(text[bytes.LastIndexByte(text, '\n')+1:])
}
