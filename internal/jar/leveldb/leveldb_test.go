package leveldb

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// piece makes a piece of a log.
func piece(kind byte, data []byte) []byte {
	head := make([]byte, logHeader)
	binary.LittleEndian.PutUint16(head[4:], uint16(len(data)))
	head[6] = kind
	return append(head, data...)
}

func change(kind byte, parts ...string) []byte {
	out := []byte{kind}
	for _, p := range parts {
		out = append(binary.AppendUvarint(out, uint64(len(p))), p...)
	}
	return out
}

func TestLogKeys(t *testing.T) {
	batch := append(make([]byte, 12), change(1, "one", "v")...)
	batch = append(batch, change(0, "two")...)
	long := append(make([]byte, 12), change(1, "three", string(bytes.Repeat([]byte("x"), logBlock)))...)
	log := piece(full, batch)
	room := logBlock - len(log) - logHeader
	log = append(log, piece(first, long[:room])...)
	log = append(log, piece(last, long[room:])...)
	log = append(log, piece(full, append(make([]byte, 12), 7, 7))...) // makes no sense
	var got []string
	LogKeys(log, func(key []byte) { got = append(got, string(key)) })
	if len(got) != 3 || got[0] != "one" || got[1] != "two" || got[2] != "three" {
		t.Errorf("keys %q", got)
	}
}

// block makes a block of a table from keys that share their beginnings.
func block(keys []string, value func(i int) []byte) []byte {
	var out []byte
	last := ""
	for i, key := range keys {
		shared := 0
		for shared < min(len(key), len(last)) && key[shared] == last[shared] {
			shared++
		}
		v := value(i)
		out = binary.AppendUvarint(out, uint64(shared))
		out = binary.AppendUvarint(out, uint64(len(key)-shared))
		out = binary.AppendUvarint(out, uint64(len(v)))
		out = append(append(out, key[shared:]...), v...)
		last = key
	}
	return append(out, 0, 0, 0, 0, 1, 0, 0, 0)
}

func TestTableKeys(t *testing.T) {
	const change = "\x01\x00\x00\x00\x00\x00\x00\x00"
	data := block([]string{"META:https://a" + change, "META:https://b" + change}, func(int) []byte { return []byte("v") })
	// The same block in Snappy's format, as one literal.
	snapped := binary.AppendUvarint(nil, uint64(len(data)))
	snapped = append(append(snapped, 60<<2, byte(len(data)-1)), data...)
	for name, stored := range map[string][]byte{
		"plain": append(bytes.Clone(data), 0), "compressed": append(bytes.Clone(snapped), 1),
	} {
		table := append(bytes.Clone(stored), 0, 0, 0, 0)
		place := binary.AppendUvarint(binary.AppendUvarint(nil, 0), uint64(len(stored)-1))
		index := block([]string{"z"}, func(int) []byte { return place })
		at := len(table)
		table = append(append(table, index...), 0, 0, 0, 0, 0)
		foot := binary.AppendUvarint(binary.AppendUvarint([]byte{0, 0}, uint64(at)), uint64(len(index)))
		foot = append(foot, make([]byte, footer-8-len(foot))...)
		table = binary.LittleEndian.AppendUint64(append(table, foot...), tableMagic)
		var got []string
		TableKeys(table, func(key []byte) { got = append(got, string(key)) })
		if len(got) != 2 || got[0] != "META:https://a" || got[1] != "META:https://b" {
			t.Errorf("%s: keys %q", name, got)
		}
	}
}

func TestUnsnap(t *testing.T) {
	// "abcd", and then six bytes from four before.
	if got := unsnap([]byte{10, 3 << 2, 'a', 'b', 'c', 'd', 2<<2 | 1, 4}); string(got) != "abcdabcdab" {
		t.Errorf("%q", got)
	}
}

func FuzzKeys(f *testing.F) {
	f.Add(piece(full, append(make([]byte, 12), change(1, "k", "v")...)))
	f.Add([]byte{10, 3 << 2, 'a', 'b', 'c', 'd', 2<<2 | 1, 4})
	f.Fuzz(func(_ *testing.T, raw []byte) {
		ignore := func([]byte) {}
		LogKeys(raw, ignore)
		TableKeys(raw, ignore)
		table := append(bytes.Clone(raw), make([]byte, footer)...)
		binary.LittleEndian.PutUint64(table[len(table)-8:], tableMagic)
		TableKeys(table, ignore)
		unsnap(raw)
	})
}
