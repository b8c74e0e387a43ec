package webm

import (
	"encoding/binary"
	"math"
)

// The elements of a WebM file that are written, by their numbers in the format.
const (
	idEBML               = 0x1A45DFA3
	idEBMLVersion        = 0x4286
	idEBMLReadVersion    = 0x42F7
	idEBMLMaxIDLength    = 0x42F2
	idEBMLMaxSizeLength  = 0x42F3
	idDocType            = 0x4282
	idDocTypeVersion     = 0x4287
	idDocTypeReadVersion = 0x4285
	idVoid               = 0xEC
	idSegment            = 0x18538067
	idSeekHead           = 0x114D9B74
	idSeek               = 0x4DBB
	idSeekID             = 0x53AB
	idSeekPosition       = 0x53AC
	idInfo               = 0x1549A966
	idTimestampScale     = 0x2AD7B1
	idMuxingApp          = 0x4D80
	idWritingApp         = 0x5741
	idDuration           = 0x4489
	idTracks             = 0x1654AE6B
	idTrackEntry         = 0xAE
	idTrackNumber        = 0xD7
	idTrackUID           = 0x73C5
	idTrackType          = 0x83
	idFlagLacing         = 0x9C
	idCodecID            = 0x86
	idVideo              = 0xE0
	idPixelWidth         = 0xB0
	idPixelHeight        = 0xBA
	idCluster            = 0x1F43B675
	idTimestamp          = 0xE7
	idSimpleBlock        = 0xA3
	idCues               = 0x1C53BB6B
	idCuePoint           = 0xBB
	idCueTime            = 0xB3
	idCueTrackPositions  = 0xB7
	idCueTrack           = 0xF7
	idCueClusterPosition = 0xF1
)

// wide is how many bytes a size takes that is filled in later.
const wide = 8

// unknown is a size of eight bytes that says: until something comes that cannot be inside.
const unknown = 1<<56 - 1

// element is one element with its content.
func element(id uint64, content ...[]byte) []byte {
	size := 0
	for _, c := range content {
		size += len(c)
	}
	out := appendSize(number(id), uint64(size))
	for _, c := range content {
		out = append(out, c...)
	}
	return out
}

// open is the head of an element whose size is not known yet.
func open(id uint64) []byte { return append(number(id), wideSize(unknown)...) }

func uintElement(id, value uint64) []byte { return element(id, number(value)) }

func textElement(id uint64, text string) []byte { return element(id, []byte(text)) }

func floatElement(id uint64, value float64) []byte {
	return element(id, binary.BigEndian.AppendUint64(nil, math.Float64bits(value)))
}

// void is an element of n bytes in all that is passed over; n is from 2 to 128.
func void(n int) []byte { return element(idVoid, make([]byte, n-2)) }

// number is a value in as few bytes as it needs; the number of an element carries its own length.
func number(v uint64) []byte {
	all := binary.BigEndian.AppendUint64(nil, v)
	for len(all) > 1 && all[0] == 0 {
		all = all[1:]
	}
	return all
}

// appendSize writes a size in as few bytes as it needs. All ones of a length mean unknown and are never a size.
func appendSize(out []byte, size uint64) []byte {
	for n := 1; n < wide; n++ {
		if size < 1<<(7*n)-1 {
			for i := n - 1; i >= 0; i-- {
				b := byte(size >> (8 * i))
				if i == n-1 {
					b |= 1 << (8 - n)
				}
				out = append(out, b)
			}
			return out
		}
	}
	return append(out, wideSize(size)...)
}

func wideSize(size uint64) []byte { return binary.BigEndian.AppendUint64(nil, 1<<56|size) }
