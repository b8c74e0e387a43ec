package leveldb

import "encoding/binary"

// maxBlock is far above the size of any block that a browser writes.
const maxBlock = 64 << 20

// unsnap decompresses Snappy's format; nil if it makes no sense.
func unsnap(src []byte) []byte {
	size, n := binary.Uvarint(src)
	if n <= 0 || size > maxBlock {
		return nil
	}
	src = src[n:]
	var out []byte
	for len(src) > 0 {
		var ok bool
		if src[0]&3 == 0 {
			out, src, ok = literal(out, src)
		} else {
			out, src, ok = repeat(out, src)
		}
		if !ok || uint64(len(out)) > size {
			return nil
		}
	}
	if uint64(len(out)) != size {
		return nil
	}
	return out
}

// literal copies bytes that follow.
func literal(out, src []byte) (grown, rest []byte, ok bool) {
	length, head := int(src[0]>>2), 1
	if length >= 60 {
		extra := length - 59
		if len(src) < 1+extra {
			return nil, nil, false
		}
		length = 0
		for i := range extra {
			length |= int(src[1+i]) << (8 * i)
		}
		head += extra
	}
	length++
	if length < 0 || length > len(src)-head {
		return nil, nil, false
	}
	return append(out, src[head:head+length]...), src[head+length:], true
}

// repeat copies bytes that came before.
func repeat(out, src []byte) (grown, rest []byte, ok bool) {
	tag := src[0]
	need := [4]int{0, 2, 3, 5}[tag&3]
	if len(src) < need {
		return nil, nil, false
	}
	length, offset := int(tag>>2)+1, 0
	switch tag & 3 {
	case 1:
		length, offset = int(tag>>2&7)+4, int(tag&0xe0)<<3|int(src[1])
	case 2:
		offset = int(binary.LittleEndian.Uint16(src[1:]))
	case 3:
		offset = int(binary.LittleEndian.Uint32(src[1:]))
	}
	if offset <= 0 || offset > len(out) {
		return nil, nil, false
	}
	for range length { // the two may overlap
		out = append(out, out[len(out)-offset])
	}
	return out, src[need:], true
}
