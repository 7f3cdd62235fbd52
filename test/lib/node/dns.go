//go:build linux

package node

import (
	"encoding/binary"
	"net"
)

// serveDNS answers every query in the namespace: the name does not exist.
func (n *network) serveDNS() error {
	var conn net.PacketConn
	err := n.do(func() (err error) {
		conn, err = net.ListenPacket("udp", dnsIP+":53")
		return err
	})
	if err != nil {
		return err
	}
	n.addCloser(conn)
	n.group.Go(func() {
		buffer := make([]byte, 512)
		for {
			size, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return // closed
			}
			if answer := noSuchName(buffer[:size]); answer != nil {
				_, _ = conn.WriteTo(answer, from) // the client asks again
			}
		}
	})
	return nil
}

// noSuchName returns the answer NXDOMAIN to a query of RFC 1035 with one question, and nil for other
// messages.
func noSuchName(query []byte) []byte {
	const header = 12
	if len(query) < header || binary.BigEndian.Uint16(query[4:]) != 1 {
		return nil
	}
	end := header
	for end < len(query) && query[end] != 0 {
		end += 1 + int(query[end])
	}
	end += 1 + 4 // the end of the name, the type and the class
	if end > len(query) {
		return nil
	}
	answer := append([]byte{}, query[:end]...)
	binary.BigEndian.PutUint16(answer[2:], 0x8183) // a response, recursion desired and available, NXDOMAIN
	clear(answer[6:header])                        // only the question follows
	return answer
}
