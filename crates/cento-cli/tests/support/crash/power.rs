//! What is on the disk after a power cut.
//!
//! What a program writes is safe when it has synced the file, and a name when it has synced the folder
//! that has it. Of everything else, a file system may have written any part: each write, each new
//! length, each name for itself. That is more than any real one does to us.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::SystemTime;

use super::Numbers;

/// A step of a program.
enum Step {
    Write {
        file: Object,
        from: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        file: Object,
        length: usize,
    },
    /// A name in a folder stands for something from now on; `from` is what it was called before.
    Name {
        folder: Object,
        name: String,
        object: Object,
        from: Option<(Object, String)>,
    },
    Remove {
        folder: Object,
        name: String,
    },
    Sync(Object),
}

/// A file or a folder: an inode, until it is used for another one.
type Object = usize;

/// A file system as it was, and what a program did to it.
pub(crate) struct Recorded {
    root: Object,
    start: Tree,
    steps: Vec<Step>,
}

#[derive(Clone, Default)]
struct Tree {
    folders: BTreeMap<Object, BTreeMap<String, Object>>,
    files: BTreeMap<Object, Vec<u8>>,
    /// When files and folders were changed that are there from the start: some commands look.
    times: BTreeMap<Object, SystemTime>,
}

/// What a power cut leaves of what was not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsynced {
    /// Nothing.
    Lost,
    /// New names, and nothing of what is in the files.
    Names,
    /// What is in the files, and no new names.
    Contents,
    /// Anything, by chance.
    Any,
}

impl Unsynced {
    pub(crate) const ALL: [Unsynced; 4] = [
        Unsynced::Lost,
        Unsynced::Names,
        Unsynced::Contents,
        Unsynced::Any,
    ];
}

/// A folder before anything is done to it.
pub(crate) struct Before {
    start: Tree,
    root: Object,
    objects: HashMap<u64, Object>,
    next: Object,
}

impl Before {
    pub(crate) fn of(folder: &Path) -> Before {
        let mut before = Before {
            start: Tree::default(),
            root: 0,
            objects: HashMap::new(),
            next: 0,
        };
        before.root = before.add(folder);
        before
    }

    fn add(&mut self, path: &Path) -> Object {
        let metadata = fs::symlink_metadata(path).unwrap();
        let object = self.new_object(metadata.ino());
        if metadata.is_dir() {
            let mut names = BTreeMap::new();
            for entry in fs::read_dir(path).unwrap() {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                names.insert(name, self.add(&entry.path()));
            }
            self.start.folders.insert(object, names);
        } else {
            self.start.files.insert(object, fs::read(path).unwrap());
        }
        let time = metadata.modified().unwrap();
        self.start.times.insert(object, time);
        object
    }

    fn new_object(&mut self, inode: u64) -> Object {
        self.next += 1;
        self.objects.insert(inode, self.next);
        self.next
    }

    /// An object that has no name yet, and perhaps never gets one, is a temporary file.
    fn object(&mut self, inode: &str) -> Object {
        let inode = inode.parse().unwrap();
        match self.objects.get(&inode) {
            Some(&object) => object,
            None => self.new_object(inode),
        }
    }

    /// Reads what `disk.c` wrote down.
    pub(crate) fn then(mut self, mut log: &[u8]) -> Recorded {
        let mut steps = Vec::new();
        while !log.is_empty() {
            let end = log.iter().position(|byte| *byte == b'\n').unwrap();
            let line = std::str::from_utf8(&log[..end]).unwrap().to_owned();
            log = &log[end + 1..];
            let mut words = line.splitn(5, ' ');
            let mut word = || words.next().unwrap();
            let step = match word() {
                "W" => {
                    let file = self.object(word());
                    let from = word().parse().unwrap();
                    let (bytes, rest) = log.split_at(word().parse().unwrap());
                    log = &rest[1..];
                    let bytes = bytes.to_vec();
                    Step::Write { file, from, bytes }
                }
                "T" => Step::Truncate {
                    file: self.object(word()),
                    length: word().parse().unwrap(),
                },
                "S" => Step::Sync(self.object(word())),
                kind @ ("C" | "M") => {
                    let folder = self.object(word());
                    let object = self.new_object(word().parse().unwrap());
                    if kind == "C" {
                        self.start.files.insert(object, Vec::new());
                    } else {
                        self.start.folders.insert(object, BTreeMap::new());
                    }
                    Step::Name {
                        folder,
                        name: word().to_owned(),
                        object,
                        from: None,
                    }
                }
                "L" => Step::Name {
                    folder: self.object(word()),
                    object: self.object(word()),
                    name: word().to_owned(),
                    from: None,
                },
                "U" => Step::Remove {
                    folder: self.object(word()),
                    name: word().to_owned(),
                },
                "R" => {
                    let [from, folder, object] = [(); 3].map(|()| self.object(word()));
                    let (old, name) = word().split_once('/').unwrap();
                    Step::Name {
                        folder,
                        name: name.to_owned(),
                        object,
                        from: Some((from, old.to_owned())),
                    }
                }
                _ => panic!("no step: {line}"),
            };
            steps.push(step);
        }
        Recorded {
            root: self.root,
            start: self.start,
            steps,
        }
    }
}

impl Recorded {
    pub(crate) fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Writes to a folder what is left if the power fails after so many steps.
    pub(crate) fn cut(&self, after: usize, unsynced: Unsynced, seed: u64, to: &Path) {
        let done = &self.steps[..after];
        // The last time that each file and folder was synced.
        let mut synced: HashMap<Object, usize> = HashMap::new();
        for (place, step) in done.iter().enumerate() {
            if let Step::Sync(object) = step {
                synced.insert(*object, place);
            }
        }
        let mut numbers = Numbers::new(seed);
        let mut is_kept = |place: usize, object: Object, is_name: bool| {
            let is_safe = synced.get(&object).is_some_and(|sync| *sync > place);
            let is_lucky = match unsynced {
                Unsynced::Lost => false,
                Unsynced::Names => is_name,
                Unsynced::Contents => !is_name,
                Unsynced::Any => numbers.below(2) == 0,
            };
            is_safe || is_lucky
        };
        let mut tree = self.start.clone();
        for (place, step) in done.iter().enumerate() {
            match step {
                Step::Write { file, from, bytes } if is_kept(place, *file, false) => {
                    let content = tree.files.entry(*file).or_default();
                    let end = from + bytes.len();
                    content.resize(content.len().max(end), 0);
                    content[*from..end].copy_from_slice(bytes);
                }
                Step::Truncate { file, length } if is_kept(place, *file, false) => {
                    tree.files.entry(*file).or_default().resize(*length, 0);
                }
                Step::Name {
                    folder,
                    name,
                    object,
                    from,
                } if is_kept(place, *folder, true) => {
                    let names = tree.folders.entry(*folder).or_default();
                    names.insert(name.clone(), *object);
                    if let Some((old, name)) = from {
                        let names = tree.folders.entry(*old).or_default();
                        names.retain(|other, stands| other != name || stands != object);
                    }
                }
                Step::Remove { folder, name } if is_kept(place, *folder, true) => {
                    tree.folders.entry(*folder).or_default().remove(name);
                }
                _ => {}
            }
        }
        tree.write(self.root, to);
    }
}

impl Tree {
    fn write(&self, object: Object, to: &Path) {
        if let Some(names) = self.folders.get(&object) {
            fs::create_dir_all(to).unwrap();
            for (name, object) in names {
                self.write(*object, &to.join(name));
            }
        } else {
            let content = self.files.get(&object).map_or(&[][..], Vec::as_slice);
            fs::write(to, content).unwrap();
            fs::set_permissions(to, fs::Permissions::from_mode(0o600)).unwrap();
        }
        if let Some(time) = self.times.get(&object) {
            let file = fs::File::open(to).unwrap();
            file.set_modified(*time).unwrap();
        }
    }
}
