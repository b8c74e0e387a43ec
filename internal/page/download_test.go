package page

import (
	"testing"
	"testing/synctest"
)

func TestDownloadsThatTheBrowserDidNotRefuseAreRefusedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _ := newFake(t)
		synctest.Wait()
		told := 0
		f.hear(func(method string) {
			if method == "Browser.setDownloadBehavior" {
				told++
			}
		})
		f.answer("Browser.setDownloadBehavior", nil)
		if err := f.b.AllowDownloads(t.Context(), false); err == nil {
			t.Error("a browser that does not answer has refused downloads")
		}

		f.answer("Browser.setDownloadBehavior", object{})
		for range 2 {
			if err := f.b.AllowDownloads(t.Context(), false); err != nil {
				t.Error(err)
			}
		}
		if told != 2 {
			t.Errorf("the browser was told %d times, not twice", told)
		}
		f.lost()
		f.drain()
	})
}
