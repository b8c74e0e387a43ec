// Package webm writes a video from still images: the frame inside a lossy WebP image is a VP8 key frame as it is.
package webm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrSize refuses an image of another size than the first one: a video has one size.
var ErrSize = errors.New("the picture has another size than the film")

// ErrEmpty is the error of Close when there was no image.
var ErrEmpty = errors.New("the film has no picture")

// clusterSpan is the longest time in one cluster; a player without an index seeks from cluster to cluster.
const clusterSpan = 2 * time.Second

// lastShown is how long the last image is shown.
const lastShown = 100 * time.Millisecond

// Writer writes one video. What is written can be played at any moment. Close adds what makes it seekable.
type Writer struct {
	w    io.Writer
	seek io.WriteSeeker // nil when what is written cannot be changed
	base int64          // where the film begins in it
	at   int64          // how much is written
	err  error

	width, height int
	frames        int
	zero          time.Duration // the time of the first picture
	last          int64         // the time of the last one, in milliseconds

	segment  int64 // where the content of the segment begins; positions in the index count from here
	seekHead int64
	info     int64
	tracks   int64
	duration int64

	cluster int64 // where the open cluster begins
	from    int64 // its time
	cues    []cue
}

// cue is one entry of the index.
type cue struct{ time, position int64 }

// NewWriter returns a Writer of a video to w. When w is an io.WriteSeeker, such as a file, Close makes the video
// seekable.
func NewWriter(w io.Writer) *Writer {
	f := &Writer{w: w}
	if s, ok := w.(io.WriteSeeker); ok {
		// A pipe is a file too, and only says so when it is asked to seek.
		if base, err := s.Seek(0, io.SeekCurrent); err == nil {
			f.seek, f.base = s, base
		}
	}
	return f
}

// Size returns the width and height of the video in pixels; 0 before the first image.
func (f *Writer) Size() (width, height int) { return f.width, f.height }

// AddWebP adds an image that is shown from a time on until the next one. The video begins with the first image,
// whatever its time is. An image that is not after the one before it is shown a millisecond after it. A refused image
// (ErrLossless, ErrSize, ErrNotImage) changes nothing.
func (f *Writer) AddWebP(at time.Duration, webp []byte) error {
	if f.err != nil {
		return f.err
	}
	frame, width, height, err := frameOf(webp)
	if err != nil {
		return err
	}
	if f.frames == 0 {
		f.width, f.height, f.zero = width, height, at
		f.begin()
	} else if width != f.width || height != f.height {
		return fmt.Errorf("%w: %d×%d, not %d×%d", ErrSize, width, height, f.width, f.height)
	}
	ms := (at - f.zero).Milliseconds()
	if f.frames > 0 {
		ms = max(ms, f.last+1)
	}
	if f.frames == 0 || ms-f.from >= clusterSpan.Milliseconds() {
		f.endCluster()
		f.cluster, f.from = f.at, ms
		f.cues = append(f.cues, cue{ms, f.at - f.segment})
		f.write(append(open(idCluster), uintElement(idTimestamp, uint64(ms))...))
	}
	block := appendSize(number(idSimpleBlock), uint64(len(frame)+4))
	block = append(block, 0x81) // track 1
	block = binary.BigEndian.AppendUint16(block, uint16(ms-f.from))
	block = append(block, 0x80) // a key frame
	f.write(append(block, frame...))
	f.frames, f.last = f.frames+1, ms
	return f.err
}

// begin writes all that is before the first cluster, with room for what Close knows.
func (f *Writer) begin() {
	f.write(element(
		idEBML,
		uintElement(
			idEBMLVersion,
			1,
		),
		uintElement(idEBMLReadVersion, 1),
		uintElement(idEBMLMaxIDLength, 4),
		uintElement(idEBMLMaxSizeLength, 8),
		textElement(idDocType, "webm"),
		uintElement(idDocTypeVersion, 4),
		uintElement(idDocTypeReadVersion, 2),
	))
	f.write(open(idSegment))
	f.segment, f.seekHead = f.at, f.at
	f.write(void(len(seekHead(0, 0, 0))))
	f.info = f.at
	info := element(
		idInfo,
		uintElement(idTimestampScale, 1_000_000),
		textElement(idMuxingApp, "cove"),
		textElement(idWritingApp, "cove"),
		void(durationSize),
	)
	f.write(info)
	f.duration = f.at - durationSize
	f.tracks = f.at
	f.write(element(idTracks, element(
		idTrackEntry,
		uintElement(
			idTrackNumber,
			1,
		),
		uintElement(idTrackUID, 1),
		uintElement(idTrackType, 1),
		uintElement(idFlagLacing, 0),
		textElement(idCodecID, "V_VP8"),
		element(idVideo, uintElement(idPixelWidth, uint64(f.width)), uintElement(idPixelHeight, uint64(f.height))),
	)))
}

// durationSize is the size of the element that holds the duration.
const durationSize = 2 + 1 + 8

// Close ends the video: with an index, sizes and its duration if what was written can be changed. It does not close the
// underlying writer.
func (f *Writer) Close() error {
	switch {
	case f.err != nil:
		return f.err
	case f.frames == 0:
		return ErrEmpty
	case f.seek == nil:
		f.err = errClosed
		return nil
	}
	f.endCluster()
	cues := f.at
	f.write(f.index())
	f.patch(f.segment-wide, wideSize(uint64(f.at-f.segment)))
	f.patch(f.seekHead, seekHead(f.info-f.segment, f.tracks-f.segment, cues-f.segment))
	f.patch(f.duration, floatElement(idDuration, float64(f.last+lastShown.Milliseconds())))
	if f.err != nil {
		return f.err
	}
	f.err = errClosed
	return nil
}

var errClosed = errors.New("the film is closed")

// endCluster fills in the size of the open cluster, if that is possible.
func (f *Writer) endCluster() {
	if f.frames == 0 || f.seek == nil {
		return
	}
	content := f.cluster + int64(len(open(idCluster)))
	f.patch(content-wide, wideSize(uint64(f.at-content)))
}

func (f *Writer) index() []byte {
	var points [][]byte
	for _, c := range f.cues {
		points = append(points, element(idCuePoint, uintElement(idCueTime, uint64(c.time)),
			element(idCueTrackPositions, uintElement(idCueTrack, 1),
				uintElement(idCueClusterPosition, uint64(c.position)))))
	}
	return element(idCues, points...)
}

// seekHead says where the parts of the segment are. It has the same size whatever they are.
func seekHead(info, tracks, cues int64) []byte {
	var entries [][]byte
	for _, e := range []struct {
		id       uint64
		position int64
	}{{idInfo, info}, {idTracks, tracks}, {idCues, cues}} {
		entries = append(entries, element(idSeek, element(idSeekID, number(e.id)),
			element(idSeekPosition, binary.BigEndian.AppendUint64(nil, uint64(e.position)))))
	}
	return element(idSeekHead, entries...)
}

func (f *Writer) write(b []byte) {
	if f.err != nil {
		return
	}
	n, err := f.w.Write(b)
	f.at += int64(n)
	if err != nil {
		f.err = fmt.Errorf("write the film: %w", err)
	}
}

// patch changes what is written, and goes back to its end.
func (f *Writer) patch(at int64, b []byte) {
	if f.err != nil {
		return
	}
	_, err := f.seek.Seek(f.base+at, io.SeekStart)
	if err == nil {
		_, err = f.seek.Write(b)
	}
	if _, back := f.seek.Seek(f.base+f.at, io.SeekStart); err == nil {
		err = back
	}
	if err != nil {
		f.err = fmt.Errorf("complete the film: %w", err)
	}
}
