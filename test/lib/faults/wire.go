package faults

import (
	"net"
	"sync/atomic"
)

// A meter is a listener whose connections count their bytes.
type meter struct {
	net.Listener
	sent, received *atomic.Int64
}

func (m meter) Accept() (net.Conn, error) {
	c, err := m.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &wire{Conn: c, meter: m}, nil
}

// A wire is a client's connection.
type wire struct {
	net.Conn
	meter  meter
	frozen atomic.Bool
	left   atomic.Int64 // bytes to send before the reset; 0: no limit
}

func (w *wire) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	for err == nil && w.frozen.Load() {
		n, err = w.Conn.Read(b)
	}
	w.meter.sent.Add(int64(n))
	return n, err
}

func (w *wire) Write(b []byte) (int, error) {
	if w.frozen.Load() {
		return len(b), nil
	}
	left := int(w.left.Load())
	if left > 0 {
		b = b[:min(len(b), left)]
	}
	n, err := w.Conn.Write(b)
	if left > 0 {
		w.reset()
		err = net.ErrClosed
	}
	w.meter.received.Add(int64(n))
	return n, err
}

// freeze makes the connection send and receive nothing.
func (w *wire) freeze() { w.frozen.Store(true) }

// resetAfter resets the connection at its next write, after a number of bytes.
func (w *wire) resetAfter(bytes int) { w.left.Store(int64(bytes)) }

// reset closes the connection without FIN, so that the other side sees a reset.
func (w *wire) reset() {
	if tcp, ok := w.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails only on a closed connection
	}
	_ = w.Close()
}
