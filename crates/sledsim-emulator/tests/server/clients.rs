//! Clients read and write, and disconnect in different ways.

use std::collections::HashMap;

use crate::client::{Client, Verifier, BLOCK};
use crate::serving::{Serving, Setting, QUICK, SLOW};
use crate::wire::{opening, option, request, CLIENT_FLAGS, DISCONNECT, EXPORT_BYTES, FLUSH, READ, WRITE};

#[test]
fn many_clients_find_what_they_wrote() {
    let serving = Serving::start(QUICK);
    std::thread::scope(|scope| {
        for part in 0..8 {
            let client = serving.client();
            scope.spawn(move || {
                let mut verifier = Verifier::new(client, part);
                (0..40).for_each(|_| verifier.step());
            });
        }
    });
    let mut client = serving.client();
    let status = serving.wait_for(|status| status.clients == 1);
    assert_eq!((status.clients_ever, status.waiting), (9, 0));
    client.put(EXPORT_BYTES - 512, &[1; 512]);
    let rows = serving.end();
    assert!(rows.iter().all(|row| row.sent_ns.is_some()));
    assert_eq!(rows.last().map(|row| row.connection), Some(9));
}

#[test]
fn answers_come_in_the_order_of_the_device() {
    let serving = Serving::start(Setting { policy: "sptf", ..SLOW });
    let mut client = serving.client();
    let far = |at: u64| if at.is_multiple_of(2) { at << 20 } else { EXPORT_BYTES - (at << 20) };
    let sent: HashMap<u64, u32> = (0..12).map(|at| (client.read(far(at), BLOCK), BLOCK)).collect();
    let answered: Vec<u64> = sent.iter().map(|_| client.answer(&sent).0).collect();
    assert!(!answered.is_sorted(), "{answered:?}");
    let mut numbers = answered;
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), sent.len());
    serving.end();
}

#[test]
fn what_a_client_has_asked_for_is_done_after_it_has_gone() {
    let serving = Serving::start(SLOW);
    let mut client = serving.client();
    let data = vec![7; 16 * BLOCK as usize];
    for at in 0..5 {
        client.write(at * data.len() as u64, &data);
    }
    client.read(0, BLOCK);
    drop(client);
    // The flush of this client follows the writes, wherever it is.
    let mut other = serving.client();
    let read = other.read(0, 5 * data.len() as u32);
    let (number, found) = other.answer(&HashMap::from([(read, 5 * data.len() as u32)]));
    assert_eq!(number, read);
    assert!(found.iter().all(|byte| *byte == 7));
    let rows = serving.end();
    assert_eq!(
        rows.iter().filter(|row| row.sent_ns.is_none()).count(),
        6,
        "answers to clients that had left have no time of sending"
    );
}

#[test]
fn a_client_that_sends_nothing_more_gets_its_answers() {
    let serving = Serving::start(Setting { scale: "1", ..QUICK });
    let mut client = serving.client();
    client.put(0, &[3; BLOCK as usize]);
    // More requests than may be outstanding.
    let sent: HashMap<u64, u32> = (0..300).map(|_| (client.read(0, BLOCK), BLOCK)).collect();
    client.sends_no_more();
    for _ in 0..sent.len() {
        assert_eq!(client.answer(&sent).1, [3; BLOCK as usize]);
    }
    client.is_at_end();
    serving.end();
}

#[test]
fn a_client_that_stops_in_the_midst_of_a_request_is_gone() {
    let serving = Serving::start(QUICK);
    let good = serving.client();
    let whole = [request(0, WRITE, 9, 0, BLOCK), vec![1; BLOCK as usize]].concat();
    for end in [1, 27, 28, 29, whole.len() - 1] {
        let mut client = serving.client();
        std::io::Write::write_all(&mut client.stream, &whole[..end]).unwrap();
        client.sends_no_more();
        client.is_at_end();
    }
    let mut good = Verifier::new(good, 0);
    good.step();
    assert_eq!(serving.wait_for(|_| true).clients, 1);
    serving.end();
}

#[test]
fn a_client_that_disconnects_gets_its_answers_before() {
    let serving = Serving::start(SLOW);
    let mut client = serving.client();
    let (write, read) = (client.write(0, &[5; BLOCK as usize]), client.read(0, BLOCK));
    client.send(DISCONNECT, 0, 0, &[]);
    let reads = HashMap::from([(read, BLOCK)]);
    assert_eq!(client.answer(&reads), (write, Vec::new()));
    assert_eq!(client.answer(&reads), (read, vec![5; BLOCK as usize]));
    client.is_at_end();
    serving.end();
}

#[test]
fn nothing_is_left_lying_once_it_has_come() {
    let serving = Serving::start(QUICK);
    let mut client = serving.client();
    // All are read together, more than may be outstanding; then no input wakes the server.
    std::io::Write::write_all(&mut client.stream, &request(0, FLUSH, 1, 0, 0).repeat(1000)).unwrap();
    for _ in 0..1000 {
        assert_eq!(client.done(), 1);
    }
    serving.end();
}

#[test]
fn whatever_is_sent_at_once_is_answered() {
    let serving = Serving::start(QUICK);
    let mut stream = Client::connect(&serving.path());
    // More options than are answered at once, and more requests than may be outstanding.
    let lists = option(3, &[]).repeat(20);
    let flushes = request(0, FLUSH, 1, 0, 0).repeat(1000);
    let reads = request(0, READ, 1, 0, 512).repeat(1000);
    let all = [&opening()[..CLIENT_FLAGS.len()], &lists, &opening()[4..], &flushes, &reads].concat();
    let last = request(0, DISCONNECT, 0, 0, 0);
    std::thread::scope(|scope| {
        let mut writer = stream.try_clone().unwrap();
        scope.spawn(move || std::io::Write::write_all(&mut writer, &[all, last].concat()).unwrap());
        let mut said = Vec::new();
        std::io::Read::read_to_end(&mut stream, &mut said).unwrap();
        let replies = 2000 * 16 + 1000 * 512;
        assert!(said.len() > replies, "{}", said.len());
        assert_eq!(said[said.len() - replies..][..4], [0x67, 0x44, 0x66, 0x98]);
    });
    serving.end();
}

/// Wait until the device has answered all requests and the unread data of the answers have `bytes` bytes.
fn is_answered(serving: &Serving, bytes: u64) {
    while serving.most_held() < bytes {
        serving.wait_for(|_| true);
    }
    serving.wait_for(|status| status.waiting == 0);
}

#[test]
fn an_answer_is_sent_when_its_last_byte_is() {
    let serving = Serving::start(QUICK);
    let mut client = serving.client();
    // More data than the socket takes for a client that does not read; a small answer follows.
    let bytes = 8 << 20;
    let large = client.read(0, bytes);
    let small = client.read(0, BLOCK);
    is_answered(&serving, u64::from(bytes + BLOCK));
    serving.client().find(0, BLOCK);
    let reads = HashMap::from([(large, bytes), (small, BLOCK)]);
    assert_eq!([client.answer(&reads).0, client.answer(&reads).0], [large, small]);
    serving.wait_for(|status| status.answered == 3);
    let rows = serving.end();
    assert_eq!(rows.iter().map(|row| row.connection).collect::<Vec<_>>(), [1, 1, 2]);
    assert!(rows[0].sent_ns > rows[2].sent_ns && rows[1].sent_ns >= rows[0].sent_ns);
}

#[test]
fn an_answer_to_a_client_that_left_is_not_sent() {
    let serving = Serving::start(QUICK);
    let mut client = serving.client();
    client.read(0, 8 << 20);
    is_answered(&serving, 8 << 20);
    drop(client);
    serving.wait_for(|status| status.clients == 0);
    let rows = serving.end();
    assert_eq!(rows.iter().map(|row| (row.due_ns > 0, row.sent_ns)).collect::<Vec<_>>(), [(true, None)]);
}

/// Space becomes free when an answer was sent, even if the client does not read its other answers.
#[test]
fn an_answer_that_was_sent_takes_no_room() {
    const KIB: u32 = 1 << 10;
    let serving = Serving::start(QUICK);
    let [mut hog, mut other] = [serving.client(), serving.client()];
    hog.read(0, 24_872 * KIB);
    hog.is_begun();
    // Together they leave 128 KiB of the common room.
    let firsts: Vec<u32> = (0..6).map(|at| (320 + 40 * at) * KIB).collect();
    let mut clients: Vec<_> = firsts
        .iter()
        .map(|bytes| {
            let mut client = serving.client();
            let both = [request(0, READ, 1, 0, *bytes), request(0, READ, 2, 0, 1024 * KIB)].concat();
            std::io::Write::write_all(&mut client.stream, &both).unwrap();
            client
        })
        .collect();
    clients.iter_mut().for_each(Client::is_begun);
    // This read follows the others on the device.
    other.find(0, BLOCK);
    for (client, bytes) in clients.iter_mut().zip(&firsts) {
        std::io::Read::read_exact(&mut client.stream, &mut vec![0; *bytes as usize]).unwrap();
    }
    // This read fits only if everything they received is released.
    other.find(0, 2676 * KIB);
    for client in &mut clients {
        assert_eq!(client.answer(&HashMap::from([(2, 1024 * KIB)])).0, 2);
    }
    // The slow client was not disconnected for that.
    std::io::Read::read_exact(&mut hog.stream, &mut vec![0; 1024 * KIB as usize]).unwrap();
    drop(hog);
    serving.end();
}
