// Package picture captures the images of pages that the journal has beside the steps of agents.
package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"time"

	"cove/internal/page"
	"cove/internal/page/capture"
)

const (
	// captureLimit is how long a capture may take. One of a busy page is tried again, so often in all.
	captureLimit = 2 * time.Second
	captureTries = 5
	// width is how many pixels wide a picture is at most.
	width = 1280
	// quality is that of the JPEG, of 100.
	quality = 50
)

// Capture returns an image of the page as it is now; nil when there is none, or when agents may not see the page. It
// waits for a busy page while the image is wanted.
func Capture(t *page.Tab, wanted func() bool) []byte {
	for range captureTries {
		image, err := try(t)
		if !errors.Is(err, context.DeadlineExceeded) || !wanted() {
			return image
		}
	}
	return nil
}

// try makes one attempt at an image. It returns context.DeadlineExceeded if the page is too busy for one.
func try(t *page.Tab) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), captureLimit)
	defer cancel()
	if t.Closed() || t.SiteError() != nil {
		return nil, nil
	}

	// The image is scaled here: if the browser did that, it would lay the page out anew.
	p, err := t.Camera.Screenshot(ctx, capture.Shot{Format: "jpeg", Quality: quality})
	switch {
	case err != nil:
		return nil, ctx.Err()
	case t.SiteError() != nil:
		return nil, nil
	}
	return shrink(p.Data), nil
}

// shrink scales a JPEG image to the width. One that is small enough stays as it is.
func shrink(data []byte) []byte {
	about, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	if about.Width <= width {
		return data
	}
	from, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	large, ok := from.(*image.YCbCr)
	if !ok {
		return nil
	}

	size := large.Bounds().Size()
	small := image.NewYCbCr(image.Rect(0, 0, width, max(size.Y*width/size.X, 1)), large.SubsampleRatio)
	average(plane{small.Y, small.YStride}, plane{large.Y, large.YStride})
	average(plane{small.Cb, small.CStride}, plane{large.Cb, large.CStride})
	average(plane{small.Cr, small.CStride}, plane{large.Cr, large.CStride})

	var out bytes.Buffer
	if jpeg.Encode(&out, small, &jpeg.Options{Quality: quality + 10}) != nil {
		return nil
	}
	return out.Bytes()
}

// plane is one channel of an image, row by row.
type plane struct {
	pix    []byte
	stride int
}

func (p plane) rows() int { return len(p.pix) / p.stride }

// average fills a plane with the means of the rectangles of a larger one.
func average(to, from plane) {
	for y := range to.rows() {
		top, bottom := span(y, to.rows(), from.rows())
		for x := range to.stride {
			left, right := span(x, to.stride, from.stride)
			sum := 0
			for row := top; row < bottom; row++ {
				for _, v := range from.pix[row*from.stride+left : row*from.stride+right] {
					sum += int(v)
				}
			}
			to.pix[y*to.stride+x] = byte(sum / ((bottom - top) * (right - left))) //nolint:gosec // a mean of bytes
		}
	}
}

// span returns which of many parts become part i of few.
func span(i, few, many int) (from, to int) {
	from = min(i*many/few, many-1)
	return from, max(min((i+1)*many/few, many), from+1)
}
