package page

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/page/capture"
	"cove/internal/page/dom"
	"cove/internal/page/target"
)

func TestFrozenPageEndsACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, tab := newFake(t)
		synctest.Wait()
		f.answer("Runtime.evaluate", nil)
		f.answer("Page.createIsolatedWorld", nil)
		// The second call knows already that the page is silent.
		for i, most := range []time.Duration{target.AnswerLimit, target.SilentLimit} {
			began := time.Now()
			_, err := tab.Frames.Snapshot(t.Context())
			if !errors.Is(err, target.ErrNoAnswer) {
				t.Errorf("call %d: %v", i, err)
			}
			if took := time.Since(began); took != most {
				t.Errorf("call %d took %v, not %v", i, took, most)
			}
		}
		f.lost()
		f.drain()
	})
}

// drain waits until the last timers and commands of a test are over. It is for tests in a synctest bubble.
func (f *fake) drain() { <-time.After(2 * time.Minute) }

// lost closes the tab, so that nothing of it is left when a test ends.
func (f *fake) lost() { f.report("", "Target.targetDestroyed", object{"targetId": "T"}) }

func TestLosingATab(t *testing.T) {
	for _, c := range []struct {
		name  string
		lose  func(f *fake)
		want  error
		after func(t *testing.T, f *fake, tab *Tab)
	}{
		{"a closed tab", func(f *fake) { f.lost() }, target.ErrClosed, func(t *testing.T, f *fake, tab *Tab) {
			if len(f.b.Tabs()) != 0 || !tab.Closed() {
				t.Error("it is still there")
			}
		}},
		{"a tab whose session ends",
			func(f *fake) { f.report("", "Target.detachedFromTarget", object{"sessionId": session}) }, target.ErrClosed,
			nil},
		{"a crashed tab", func(f *fake) { f.report("", "Target.targetCrashed", object{"targetId": "T"}) },
			target.ErrCrashed,
			func(t *testing.T, f *fake, tab *Tab) {
				if !tab.About().Crashed {
					t.Error("it is not marked")
				}
				f.navigate("L1", "http://x/") // somebody reloads it
				if tab.About().Crashed {
					t.Error("it is still marked")
				}
				if err := tab.Target.Do(t.Context(), "Page.enable", nil, nil); err != nil {
					t.Error(err)
				}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, tab := newFake(t)
				f.answer("Slow.call", nil)
				ended := make(chan error, 1)
				go func() { ended <- tab.Target.Do(t.Context(), "Slow.call", nil, nil) }()
				synctest.Wait()
				began := time.Now()
				c.lose(f)
				if err := <-ended; !errors.Is(err, c.want) || time.Since(began) != 0 {
					t.Errorf("the call ended with %v after %v", err, time.Since(began))
				}
				if c.after != nil {
					c.after(t, f, tab)
				}
				f.lost()
				if !tab.Closed() {
					t.Error("it does not count as closed in the end")
				}
			})
		})
	}
}

func TestClosingACrashedTab(t *testing.T) {
	f, tab := newFake(t)
	f.report("", "Target.targetCrashed", object{"targetId": "T"})
	f.lost()
	if err := tab.Target.Do(t.Context(), "Page.enable", nil, nil); !tab.Closed() || tab.About().Crashed ||
		!errors.Is(err, target.ErrClosed) {
		t.Errorf("closed %v, crashed %v, %v", tab.Closed(), tab.About().Crashed, err)
	}
}

func TestDialogHoldsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, tab := newFake(t)
		f.answer("Slow.call", nil)
		ended := make(chan error, 1)
		go func() { ended <- tab.Target.Do(t.Context(), "Slow.call", nil, nil) }()
		synctest.Wait()
		f.report(session, "Page.javascriptDialogOpening", object{"type": "confirm", "message": "sure?"})
		var blocked *DialogOpen
		if err := <-ended; !errors.As(err, &blocked) || blocked.Message != "sure?" {
			t.Errorf("the call ended with %v", err)
		}
		if _, err := tab.Frames.Snapshot(t.Context()); !errors.As(err, &blocked) {
			t.Errorf("a snapshot gives %v", err)
		}
		if _, err := tab.Navigate(t.Context(),
			Navigation{Kind: "url", URL: "http://x/", Limit: time.Second}); !errors.As(
			err,
			&blocked,
		) {
			t.Errorf("a navigation gives %v", err)
		}
		if _, err := tab.AnswerDialog(t.Context(), true, nil); err != nil {
			t.Error(err)
		}
		if err := tab.Target.Do(t.Context(), "Page.enable", nil, nil); err != nil {
			t.Errorf("after the dialog: %v", err)
		}
		if _, err := tab.AnswerDialog(t.Context(), true, nil); fault.From(err).Code != "E_NO_DIALOG" {
			t.Errorf("a second answer gives %v", err)
		}
		f.lost()
		f.drain()
	})
}

func TestDialogGoesWithItsDocument(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, tab := newFake(t)
		f.report(session, "Page.javascriptDialogOpening", object{"type": "alert", "message": "x"})
		f.navigate("L1", "http://x/")
		if tab.Dialog() != nil {
			t.Error("the dialog of a document that is gone is still open")
		}
		f.lost()
	})
}

// TestLoad reports the navigation of a tab in the ways in which browsers report it.
func TestLoad(t *testing.T) {
	started := func(f *fake) {
		f.report(session, "Page.frameStartedNavigating", object{"frameId": "T", "url": "http://x/", "loaderId": "L1"})
		f.report(session, "Page.frameStartedLoading", object{"frameId": "T"})
	}
	life := func(f *fake, loader, name string) {
		f.report(session, "Page.lifecycleEvent", object{"frameId": "T", "loaderId": loader, "name": name})
	}
	committed := func(f *fake) {
		f.report(session, "Page.frameNavigated",
			object{"frame": object{"id": "T", "loaderId": "L1", "url": "http://x/"}})
	}
	for _, c := range []struct {
		name string
		say  func(f *fake)
		want dom.Load
		url  string
	}{
		{"nothing", func(*fake) {}, dom.Load{}, "about:blank"},
		{"begun", started, dom.Load{Started: 1, Pending: "L1", To: "http://x/", Busy: true}, "about:blank"},
		{"the document is there", func(f *fake) { started(f); committed(f) },
			dom.Load{Started: 1, Commits: 1, To: "http://x/", Busy: true}, "http://x/"},
		{"parsed", func(f *fake) { started(f); committed(f); life(f, "L1", "DOMContentLoaded") },
			dom.Load{Started: 1, Commits: 1, To: "http://x/", Busy: true, DOM: true}, "http://x/"},
		{"loaded", func(f *fake) { f.navigate("L1", "http://x/") },
			dom.Load{Started: 1, Commits: 1, To: "http://x/", DOM: true, Done: true}, "http://x/"},
		{"another process, which says nothing of the document itself",
			func(f *fake) { started(f); life(f, "L1", "init"); life(f, "L1", "load") }, dom.Load{Started: 1, Commits: 1,
				To: "http://x/", Busy: true, DOM: true, Done: true}, "http://x/"},
		{"late news of the document before", func(f *fake) { started(f); committed(f); life(f, "L0", "load") },
			dom.Load{Started: 1, Commits: 1, To: "http://x/", Busy: true}, "http://x/"},
		{"given up", func(f *fake) {
			started(f)
			f.report(session, "Page.frameStoppedLoading",
				object{"frameId": "T"})
		},
			dom.Load{Started: 1, To: "http://x/"}, "about:blank"},
		{"a move inside the document", func(f *fake) {
			f.report(session, "Page.navigatedWithinDocument", object{"frameId": "T", "url": "about:blank#x"})
		}, dom.Load{Within: 1}, "about:blank#x"},
		{"a frame inside", func(f *fake) {
			f.report(session, "Page.frameAttached", object{"frameId": "F", "parentFrameId": "T"})
			f.report(session, "Page.frameNavigated",
				object{"frame": object{"id": "F", "parentId": "T", "loaderId": "LF", "url": "http://y/"}})
		}, dom.Load{}, "about:blank"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, tab := newFake(t)
				synctest.Wait()
				f.answer(
					"Page.getFrameTree",
					object{"frameTree": object{"frame": object{"id": "T", "loaderId": "L1", "url": "http://x/"}}},
				)
				c.say(f)
				synctest.Wait()
				if got := tab.Frames.Load(); got != c.want {
					t.Errorf("got %+v, want %+v", got, c.want)
				}
				if got := tab.About().URL; got != c.url {
					t.Errorf("it is at %s, not at %s", got, c.url)
				}
				f.lost()
			})
		})
	}
}

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name string
		say  func(f *fake) // what the action sets off
		want time.Duration
		busy string
	}{
		{"nothing", func(*fake) {}, 0, ""},
		{"a request that is answered", func(f *fake) {
			f.report(session, "Network.requestWillBeSent",
				object{"requestId": "1", "type": "Fetch", "request": object{"url": "http://x/", "method": "GET"}})
			time.AfterFunc(time.Second,
				func() { f.report(session, "Network.loadingFinished", object{"requestId": "1"}) })
		}, time.Second, ""},
		{"a request without end", func(f *fake) {
			f.report(session, "Network.requestWillBeSent",
				object{"requestId": "1", "type": "Fetch", "request": object{"url": "http://x/", "method": "GET"}})
		}, requestLimit, "requests"},
		{"a stream, which never ends", func(f *fake) {
			f.report(session, "Network.requestWillBeSent",
				object{"requestId": "1", "type": "EventSource", "request": object{"url": "http://x/", "method": "GET"}})
		}, 0, ""},
		{"a navigation", func(f *fake) {
			f.report(session, "Page.frameStartedNavigating",
				object{"frameId": "T", "url": "http://x/", "loaderId": "L1"})
			time.AfterFunc(2*time.Second, func() { f.navigate("L1", "http://x/") })
		}, 2 * time.Second, ""},
		{"a file that is told of after its request has ended", func(f *fake) {
			f.answered(200)
			time.AfterFunc(time.Second, func() {
				f.report("", "Browser.downloadWillBegin",
					object{"guid": "G", "url": "http://x/", "suggestedFilename": "x"})
				f.report("", "Browser.downloadProgress", object{"guid": "G", "state": "canceled"})
			})
		}, time.Second, ""},
		{"an answer without a document", func(f *fake) {
			f.answered(204)
		}, 0, ""},
		{"a navigation that never comes", func(f *fake) {
			f.report(session, "Page.frameStartedNavigating",
				object{"frameId": "T", "url": "http://x/", "loaderId": "L1"})
			f.report(session, "Page.frameStartedLoading", object{"frameId": "T"})
		}, loadLimit, "loading"},
		{"a document whose load event never comes", func(f *fake) {
			f.report(session, "Page.frameStartedNavigating",
				object{"frameId": "T", "url": "http://x/", "loaderId": "L1"})
			f.report(session, "Page.frameStartedLoading", object{"frameId": "T"})
			f.report(session, "Page.frameNavigated",
				object{"frame": object{"id": "T", "loaderId": "L1", "url": "http://x/"}})
			f.report(session, "Page.lifecycleEvent",
				object{"frameId": "T", "loaderId": "L1", "name": "DOMContentLoaded"})
		}, lateLimit, "loading"},
		{"a dialog", func(f *fake) {
			f.report(session, "Page.javascriptDialogOpening", object{"type": "alert", "message": "x"})
		}, 0, ""},
		{"the end of the tab", func(f *fake) { f.lost() }, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, tab := newFake(t)
				synctest.Wait()
				before := tab.Mark()
				c.say(f)
				e, err := tab.Settle(t.Context(), before, dom.Element{})
				if took := time.Since(before.at); took != c.want || e.Busy != c.busy || err != nil {
					t.Errorf("after %v, busy with %q, %v; want %v, %q", took, e.Busy, err, c.want, c.busy)
				}
				f.lost()
				f.drain()
			})
		})
	}
	t.Run("a call that is cancelled", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f, tab := newFake(t)
			before := tab.Mark()
			f.report(
				session,
				"Network.requestWillBeSent",
				object{"requestId": "1", "type": "Fetch", "request": object{"url": "http://x/", "method": "GET"}},
			)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			_, err := tab.Settle(ctx, before, dom.Element{})
			if took := time.Since(before.at); took != time.Second || !errors.Is(err, context.Canceled) {
				t.Errorf("after %v: %v", took, err)
			}
			f.lost()
			f.drain()
		})
	})
}

func TestFrameThatLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, tab := newFake(t)
		f.report(
			session,
			"Target.attachedToTarget",
			object{"sessionId": "F", "targetInfo": object{"targetId": "FT", "type": "iframe", "url": "http://y/"}},
		)
		synctest.Wait()
		f.answer("Slow.call", nil)
		ended := make(chan error, 1)
		go func() { ended <- tab.Target.Call(t.Context(), "F", "Slow.call", nil, nil) }()
		synctest.Wait()
		began := time.Now()
		f.report(session, "Target.detachedFromTarget", object{"sessionId": "F"})
		if err := <-ended; err == nil || time.Since(began) != 0 {
			t.Errorf("the call ended with %v after %v", err, time.Since(began))
		}
		if len(f.b.Tabs()) != 1 || tab.Closed() {
			t.Error("the tab went with it")
		}
		f.lost()
		f.drain()
	})
}

func TestClosingATabToWhichAnotherDocumentComes(t *testing.T) {
	f, tab := newFake(t)
	commands := make(chan string, 10)
	f.hear(func(method string) { commands <- method })
	closed := make(chan error, 1)
	go func() { closed <- tab.Close(t.Context()) }()
	for <-commands != "Target.closeTarget" {
	}
	f.navigate("L1", "http://x/")
	for method := range commands {
		if method == "Target.closeTarget" {
			break
		}
	}
	f.report("", "Target.targetDestroyed", object{"targetId": "T"})
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestATabThatDoesNotCloseSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, tab := newFake(t)
		if err := tab.Close(t.Context()); !errors.Is(err, errNotClosed) {
			t.Errorf("the browser answers: %v", err)
		}
		f.answer("Target.closeTarget", nil)
		if err := tab.Close(t.Context()); !errors.Is(err, errNotClosed) {
			t.Errorf("the browser is silent: %v", err)
		}
		f.lost()
		f.drain()
	})
}

func TestAPictureOfAPageThatMoves(t *testing.T) {
	f, tab := newFake(t)
	f.answer("Page.getLayoutMetrics",
		object{"cssVisualViewport": object{"clientWidth": 9, "clientHeight": 9, "scale": 1}})
	f.answer("Page.captureScreenshot", nil)
	commands := make(chan string, 100)
	f.hear(func(method string) { commands <- method })
	captured := make(chan error, 1)
	var p capture.Image
	go func() {
		var err error
		p, err = tab.Camera.Screenshot(t.Context(), capture.Shot{Format: "png"})
		captured <- err
	}()
	for <-commands != "Page.captureScreenshot" {
	}
	f.answer("Page.captureScreenshot", object{"data": "AQID"})
	f.navigate("L1", "http://x/")
	if err := <-captured; err != nil || string(p.Data) != "\x01\x02\x03" {
		t.Errorf("%v %v", p, err)
	}
}

// Two screenshots at once leave the page in the size that the first one has set.
func TestAPictureWaitsForOneThatNobodyWantsAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, tab := newFake(t)
		f.answer("Page.getLayoutMetrics",
			object{"cssVisualViewport": object{"clientWidth": 9, "clientHeight": 9, "scale": 1}})
		f.answer("Page.captureScreenshot", nil)
		var taken atomic.Int32
		f.hear(func(method string) {
			if method == "Page.captureScreenshot" {
				taken.Add(1)
			}
		})
		shoot := func(ctx context.Context) { _, _ = tab.Camera.Screenshot(ctx, capture.Shot{Format: "png"}) }
		ctx, cancel := context.WithCancel(t.Context())
		go shoot(ctx)
		synctest.Wait()
		cancel()
		go shoot(t.Context())
		synctest.Wait()
		if n := taken.Load(); n != 1 {
			t.Errorf("%d screenshots at once", n)
		}
		<-time.After(3 * time.Second)
		if n := taken.Load(); n != 2 {
			t.Errorf("a screenshot without an answer keeps the others waiting: %d", n)
		}
		f.lost()
		f.drain()
	})
}

// A scaled page is watched by frames: a screenshot would move what others press. A glance at it rests like any other.
func TestAGlanceAtAScaledPageTakesNoScreenshotAndRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, tab := newFake(t)
		f.answer("Runtime.callFunctionOn", object{"result": object{"type": "number", "value": 2}})
		var shots, casting atomic.Int32
		f.hear(func(method string) {
			switch method {
			case "Page.captureScreenshot":
				shots.Add(1)
			case "Page.startScreencast":
				casting.Store(1)
			case "Page.stopScreencast":
				casting.Store(0)
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			_ = tab.Camera.Live(ctx, capture.View{
				Pace: capture.Glancing, Show: func(capture.Image) error { return nil },
				Dialog: func(target.Dialog) error { return nil },
			})
		}()
		at := func(after time.Duration, want int32) {
			t.Helper()
			<-time.After(after)
			synctest.Wait()
			if casting.Load() != want || shots.Load() > 0 {
				t.Errorf("casting %d, %d screenshots", casting.Load(), shots.Load())
			}
		}
		at(10*time.Second, 1)
		at(20*time.Second, 0) // nothing has changed for 20 s
		at(22*time.Second, 1) // it looks again after 30 s
		at(10*time.Second, 0)
		cancel()
		f.lost()
		f.drain()
	})
}

// A frame that was drawn before its document was known to have come may show the document before. A page in which
// nothing moves sends no other by itself.
func TestAStillScaledPageIsShownAfterANavigation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, tab := newFake(t)
		f.answer("Runtime.callFunctionOn", object{"result": object{"type": "number", "value": 2}})
		var starts, shown atomic.Int32
		f.hear(func(method string) {
			if method == "Page.startScreencast" {
				starts.Add(1)
			}
		})
		var pixel bytes.Buffer
		if err := jpeg.Encode(&pixel, image.NewGray(image.Rect(0, 0, 800, 600)), nil); err != nil {
			t.Fatal(err)
		}
		frame := func(drawn time.Time) {
			f.report(session, "Page.screencastFrame", object{"sessionId": 1, "data": pixel.Bytes(), "metadata": object{
				"deviceWidth": 800, "deviceHeight": 600, "pageScaleFactor": 1,
				"timestamp": float64(drawn.UnixMicro()) / 1e6,
			}})
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last atomic.Int64
		go func() {
			_ = tab.Camera.Live(ctx, capture.View{
				Pace: capture.Watching, Dialog: func(target.Dialog) error { return nil },
				Show: func(i capture.Image) error {
					shown.Add(1)
					last.Store(int64(i.Number))
					return nil
				},
			})
		}()
		current := func() bool {
			_, _, current := tab.Camera.Shown(int(last.Load()))
			return current
		}
		after := func(d time.Duration) { <-time.After(d); synctest.Wait() }

		after(time.Second)
		usual := starts.Load()
		after(time.Minute)
		if n := starts.Load(); n != usual {
			t.Errorf("a page that has sent no frame yet: %d starts after %d", n, usual)
		}
		frame(time.Now())
		after(time.Minute)
		if n := starts.Load(); n != usual || shown.Load() != 1 || !current() {
			t.Errorf("a page that has sent a frame: %d starts, %d shown, current %v", n, shown.Load(), current())
		}
		drawn := time.Now()
		after(time.Millisecond)
		f.navigate("L2", "http://x/2")
		frame(drawn)
		after(500 * time.Millisecond)
		if n := starts.Load(); n != usual || shown.Load() != 2 || current() {
			t.Errorf("the document has time to send a frame: %d starts, %d shown", n, shown.Load())
		}
		after(20 * time.Second)
		if n := starts.Load() - usual; n < 2 || n > 5 {
			t.Errorf("a stale page is asked for a frame, less and less often: %d times", n)
		}
		frame(time.Now())
		after(time.Second)
		n := starts.Load()
		after(time.Minute)
		if starts.Load() != n || !current() {
			t.Errorf("a page that is shown: %d starts after %d, current %v", starts.Load(), n, current())
		}
		cancel()
		f.lost()
		f.drain()
	})
}

func TestAPictureOfAHiddenTab(t *testing.T) {
	f, tab := newFake(t)
	f.answer("Page.getLayoutMetrics",
		object{"cssVisualViewport": object{"clientWidth": 9, "clientHeight": 9, "scale": 1}})
	films := make(chan string, 100)
	f.hear(func(method string) {
		if strings.HasSuffix(method, "Screencast") {
			films <- method
		}
	})
	f.answer("Page.captureScreenshot", object{"data": "AQID"})
	if _, err := tab.Camera.Screenshot(t.Context(), capture.Shot{Format: "png"}); err != nil || len(films) != 0 {
		t.Errorf("a tab that is seen: %v, %d films", err, len(films))
	}
	f.answer("Page.captureScreenshot", nil)
	ctx, cancel := context.WithCancel(t.Context())
	captured := make(chan error, 1)
	go func() {
		_, err := tab.Camera.Screenshot(ctx, capture.Shot{Format: "png"})
		captured <- err
	}()
	if film := <-films; film != "Page.startScreencast" {
		t.Error(film)
	}
	cancel()
	if err := <-captured; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if film := <-films; film != "Page.stopScreencast" {
		t.Error(film)
	}
}
