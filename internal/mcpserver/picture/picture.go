// Package picture captures the images of pages that the journal has beside the steps of agents.
package picture

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"time"

	"cove/internal/page"
)

const (
	// captureLimit is how long a capture may take. After minCapture it must still be wanted, which is asked every
	// wantedEvery.
	captureLimit = 12 * time.Second
	minCapture   = 2 * time.Second
	wantedEvery  = 100 * time.Millisecond
	// width is how many pixels wide a picture is at most.
	width = 1280
	// quality is that of the JPEG, of 100.
	quality = 50
)

// Capture returns an image of the page as it is now; nil when there is none, or when agents may not see the page. For a
// busy page it waits while the image is wanted.
func Capture(t *page.Tab, wanted func() bool) []byte {
	if t.Closed() || t.SiteError() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), captureLimit)
	defer cancel()
	go func() {
		defer cancel()
		for wait := minCapture; ctx.Err() == nil; wait = wantedEvery {
			select {
			case <-ctx.Done():
			case <-time.After(wait):
				if !wanted() {
					return
				}
			}
		}
	}()

	// The image is scaled here: if the browser did that, it would lay the page out anew.
	image, err := t.Camera.ShownImage(ctx, quality)
	if err != nil || t.SiteError() != nil {
		return nil
	}
	return shrink(image)
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
