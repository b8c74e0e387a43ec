// Package leveldb lists the keys in the files of a LevelDB database. It reads files that a browser may be writing, so
// it stops where a file makes no sense, and it does not tell keys that were deleted from others.
package leveldb

import "encoding/binary"

const (
	logBlock   = 32 << 10
	logHeader  = 7
	footer     = 48
	tableMagic = 0xdb4775248b80fb57
)

// Types of the pieces of a record in a log.
const (
	full = iota + 1
	first
	middle
	last
)

// LogKeys calls each with every key in a log.
func LogKeys(raw []byte, each func(key []byte)) {
	var record []byte
	for len(raw) > 0 {
		block := raw[:min(logBlock, len(raw))]
		raw = raw[len(block):]
		for len(block) >= logHeader {
			size, kind := int(binary.LittleEndian.Uint16(block[4:])), block[6]
			block = block[logHeader:]
			if size > len(block) {
				break
			}
			piece := block[:size]
			block = block[size:]
			switch kind {
			case full, first:
				record = append([]byte(nil), piece...)
			case middle, last:
				record = append(record, piece...)
			}
			if kind == full || kind == last {
				batchKeys(record, each)
			}
		}
	}
}

// batchKeys reads one batch of changes: its number, its size, and the changes.
func batchKeys(batch []byte, each func(key []byte)) {
	const header, deletion, value = 12, 0, 1
	if len(batch) < header {
		return
	}
	batch = batch[header:]
	for len(batch) > 0 {
		kind := batch[0]
		key, rest, ok := slice(batch[1:])
		if ok && kind == value {
			_, rest, ok = slice(rest)
		}
		if !ok || kind != value && kind != deletion {
			return
		}
		each(key)
		batch = rest
	}
}

// slice reads a length and as many bytes.
func slice(b []byte) (part, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return nil, nil, false
	}
	return b[size : size+int(n)], b[size+int(n):], true
}

// TableKeys calls each with every key in a table.
func TableKeys(raw []byte, each func(key []byte)) {
	if len(raw) < footer || binary.LittleEndian.Uint64(raw[len(raw)-8:]) != tableMagic {
		return
	}
	_, rest, ok := readHandle(raw[len(raw)-footer:]) // of the index of the indexes
	if !ok {
		return
	}
	index, _, ok := readHandle(rest)
	if !ok {
		return
	}
	entries(index.block(raw), func(_, value []byte) {
		data, _, ok := readHandle(value)
		if !ok {
			return
		}
		entries(data.block(raw), func(key, _ []byte) {
			if len(key) >= 8 { // the number and the kind of the change follow the key
				each(key[:len(key)-8])
			}
		})
	})
}

// blockHandle is where a block is in its file, as LevelDB calls it.
type blockHandle struct{ offset, size uint64 }

// readHandle reads the first handle of b.
func readHandle(b []byte) (h blockHandle, rest []byte, ok bool) {
	offset, n := binary.Uvarint(b)
	if n <= 0 {
		return blockHandle{}, nil, false
	}
	size, m := binary.Uvarint(b[n:])
	if m <= 0 {
		return blockHandle{}, nil, false
	}
	return blockHandle{offset, size}, b[n+m:], true
}

// block returns the content of a block, decompressed; nil if it makes no sense.
func (h blockHandle) block(raw []byte) []byte {
	length := uint64(len(raw))
	if h.offset >= length || h.size >= length-h.offset {
		return nil
	}
	data, kind := raw[h.offset:h.offset+h.size], raw[h.offset+h.size]
	switch kind {
	case 0:
		return data
	case 1:
		return unsnap(data)
	}
	return nil
}

// entries calls each with the entries of a block. A key repeats the beginning of the one before it.
func entries(block []byte, each func(key, value []byte)) {
	if len(block) < 4 {
		return
	}
	restarts := uint64(binary.LittleEndian.Uint32(block[len(block)-4:]))
	if 4*restarts+4 > uint64(len(block)) {
		return
	}
	block = block[:uint64(len(block))-4*restarts-4]
	var key []byte
	for len(block) > 0 {
		var head [3]uint64 // shared, own, value
		for i := range head {
			n, size := binary.Uvarint(block)
			if size <= 0 {
				return
			}
			head[i], block = n, block[size:]
		}
		left := uint64(len(block))
		if head[0] > uint64(len(key)) || head[1] > left || head[2] > left-head[1] {
			return
		}
		key = append(key[:head[0]:head[0]], block[:head[1]]...)
		each(key, block[head[1]:head[1]+head[2]])
		block = block[head[1]+head[2]:]
	}
}
