package webm

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrNotImage refuses what is not a still WebP image.
var ErrNotImage = errors.New("not a WebP picture")

// ErrLossless refuses a lossless image, which cannot be a frame of a video: capture it with a quality below 100.
var ErrLossless = errors.New("the picture is lossless WebP, which no film can hold")

// frameOf returns the VP8 key frame in a WebP image, and its size.
func frameOf(webp []byte) (frame []byte, width, height int, err error) {
	if len(webp) < 12 || string(webp[:4]) != "RIFF" || string(webp[8:12]) != "WEBP" {
		return nil, 0, 0, ErrNotImage
	}
	for rest := webp[12:]; len(rest) >= 8; {
		kind, size := string(rest[:4]), uint64(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[8:]
		if size > uint64(len(rest)) {
			return nil, 0, 0, fmt.Errorf("%w: it is cut short", ErrNotImage)
		}
		switch kind {
		case "VP8 ":
			return keyFrame(rest[:size])
		case "VP8L":
			return nil, 0, 0, ErrLossless
		}
		rest = rest[min(size+size%2, uint64(len(rest))):] // the extended format puts other chunks first
	}
	return nil, 0, 0, fmt.Errorf("%w: it holds no frame", ErrNotImage)
}

// keyFrame reads the ten bytes at the beginning of a VP8 frame.
func keyFrame(frame []byte) ([]byte, int, int, error) {
	if len(frame) < 10 || frame[0]&1 != 0 || frame[3] != 0x9d || frame[4] != 0x01 || frame[5] != 0x2a {
		return nil, 0, 0, fmt.Errorf("%w: its frame is no VP8 key frame", ErrNotImage)
	}
	// The two upper bits are a scaling that players ignore.
	width := int(binary.LittleEndian.Uint16(frame[6:]) & 0x3fff)
	height := int(binary.LittleEndian.Uint16(frame[8:]) & 0x3fff)
	if width == 0 || height == 0 {
		return nil, 0, 0, fmt.Errorf("%w: it has no size", ErrNotImage)
	}
	return frame, width, height, nil
}
