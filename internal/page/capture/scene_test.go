package capture

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"testing"
)

func TestThePictureSaysHowLargeItIs(t *testing.T) {
	picture := image.NewGray(image.Rect(0, 0, 300, 200))
	var asPNG, asJPEG bytes.Buffer
	if err := png.Encode(&asPNG, picture); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&asJPEG, picture, nil); err != nil {
		t.Fatal(err)
	}
	webp := func(kind string, at int, size ...byte) []byte {
		data := make([]byte, 40)
		copy(data, "RIFF")
		copy(data[8:], "WEBP"+kind)
		copy(data[at:], size)
		return data
	}

	for name, one := range map[string]struct {
		data          []byte
		width, height float64
	}{
		"PNG":              {asPNG.Bytes(), 300, 200},
		"JPEG":             {asJPEG.Bytes(), 300, 200},
		"plain WebP":       {webp("VP8 ", 26, 44, 1, 200, 0), 300, 200},
		"lossless WebP":    {webp("VP8L", 21, 0x2b, 0xc1, 0x31, 0), 300, 200},
		"WebP with parts":  {webp("VP8X", 24, 43, 1, 0, 199, 0, 0), 300, 200},
		"unknown WebP":     {webp("VP9 ", 24, 43, 1, 0, 199, 0, 0), 0, 0},
		"cut off":          {[]byte("RIFF1234WEBPVP8 "), 0, 0},
		"no picture":       {[]byte("nothing"), 0, 0},
		"no data":          {nil, 0, 0},
		"a PNG cut before": {asPNG.Bytes()[:10], 0, 0},
	} {
		if width, height := pixels(one.data); width != one.width || height != one.height {
			t.Errorf("%s: %v × %v", name, width, height)
		}
	}
}
