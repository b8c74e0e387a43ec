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

func (l Location) rowsFile(number int) string {
	return filepath.Join(l.Dir.Journal(), fileName(number))
}

// fileNumber reads the number of a journal's file. It returns false for any other name.
func fileNumber(name string) (int, bool) {
	digits, ok := strings.CutSuffix(name, extension)
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0 && fileName(n) == name
}

// files returns the numbers of the journal's files, in ascending order, and the names of all other files in the folder.
func (l Location) files() (numbers []int, strangers []string, err error) {
	found, err := os.ReadDir(l.Dir.Journal())
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

var errRowTooLong = errors.New("a line is too long to be the journal's")

// eachRow calls do with the text of each row, without its line break. whole is false for a last row that has no line
// break. eachRow stops when do returns false.
func eachRow(r io.Reader, do func(number int, text []byte, whole bool) bool) error {
	in := bufio.NewReaderSize(r, maxRow)
	for number := 1; ; number++ {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return errRowTooLong
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case len(text) == 0:
			return nil
		}
		row, whole := bytes.CutSuffix(text, []byte("\n"))
		if !do(number, row, whole) || !whole {
			return nil
		}
	}
}

// rowsOf calls eachRow for one file of the journal.
func (l Location) rowsOf(file int, do func(number int, text []byte, whole bool) bool) error {
	f, err := os.Open(l.rowsFile(file))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return eachRow(f, do)
}

// firstRow reads the first row of a file. It returns false if there is none.
func (l Location) firstRow(file int) (row storedRow, ok bool) {
	_ = l.rowsOf(file, func(_ int, text []byte, whole bool) bool {
		row, ok = parseRow(text)
		ok = ok && whole
		return false
	})
	return row, ok
}

// lastRow reads the row that ends at size. It returns false if no row ends there.
func (l Location) lastRow(file int, size int64) (storedRow, bool) {
	f, err := os.Open(l.rowsFile(file))
	if err != nil {
		return storedRow{}, false
	}
	defer func() { _ = f.Close() }()
	text := make([]byte, min(size, maxRow))
	if _, err := f.ReadAt(text, size-int64(len(text))); err != nil && !errors.Is(err, io.EOF) {
		return storedRow{}, false
	}
	text, whole := bytes.CutSuffix(text, []byte("\n"))
	if !whole {
		return storedRow{}, false
	}
	return parseRow(text[bytes.LastIndexByte(text, '\n')+1:])
}
